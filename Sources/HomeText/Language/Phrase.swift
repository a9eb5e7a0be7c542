/// A phrase of a ``Language``. Placeholders in braces are filled in when a sentence is made.
package enum Phrase: String, Hashable, Sendable, CaseIterable {
    // MARK: Lists

    /// The last two items of a list: `{first}`, `{last}`.
    case and
    /// The last two alternatives of a list: `{first}`, `{last}`.
    case or
    /// Two items of a longer list: `{first}`, `{last}`.
    case comma

    // MARK: Durations

    /// One second, or several: `{count}`.
    case second, seconds
    /// One minute, or several: `{count}`.
    case minute, minutes
    /// One hour, or several: `{count}`.
    case hour, hours
    /// One day, or several: `{count}`.
    case day, days
    /// One week, or several: `{count}`.
    case week, weeks

    // MARK: Times

    /// A day of the year: `{day}`, `{month}`.
    case date
    /// A moment: `{date}`, `{time}`.
    case dateAndTime
    /// A day of each month: `{day}`, `{time}`.
    case dayOfMonth
    /// A minute of each hour: `{minute}`.
    case minuteOfHour
    /// A calendar moment that the other phrases can't describe: `{components}`.
    case otherCalendar
    /// The moments of the sun.
    case sunrise, sunset
    /// A time before a moment of the sun: `{duration}`, `{sun}`.
    case beforeSun
    /// A time after a moment of the sun: `{duration}`, `{sun}`.
    case afterSun

    // MARK: Events

    /// A time of day as an event: `{time}`.
    case atTime
    /// A date as an event: `{time}`.
    case onDate
    /// Something that happens, as an event: `{event}`.
    case when
    /// The value of a characteristic changes: `{name}`.
    case changes
    /// A characteristic gets a value: `{name}`, `{value}`.
    case becomes
    /// A number enters the range above a bound: `{name}`, `{minimum}`.
    case rises
    /// A number enters the range below a bound: `{name}`, `{maximum}`.
    case falls
    /// A number enters a range: `{name}`, `{minimum}`, `{maximum}`.
    case entersRange
    /// Users arrive or leave: `{people}`.
    case arrives, leaves
    /// The first or the last of several users: `{people}`.
    case firstOf, lastOf
    /// All users of the home, as those who arrive or leave.
    case someone, firstPerson, lastPerson
    /// The user who gives a command arrives or leaves.
    case youArrive, youLeave
    /// A user enters or leaves a region: `{people}`.
    case entersRegion, leavesRegion, crossesRegion
    /// Fields: `people`, `distance` and `place`; `distance` and `place`.
    case comesWithin, goesBeyond, youComeWithin, youGoBeyond
    /// Fields: `latitude` and `longitude` in degrees.
    case place
    /// Field: `count`.
    case meters
    /// A number of seconds has passed: `{duration}`.
    case passes
    /// An event or a term of a newer version.
    case unknownEvent, unknownCondition
    /// An object that is not there any more.
    case missingCharacteristic, missingUser, missingScene

    // MARK: Conditions

    /// A characteristic has a value: `{name}`, `{value}`.
    case equal
    /// The other comparisons: `{name}`, `{value}`.
    case notEqual, less, lessOrEqual, greaterOrEqual, greater
    /// The time is before, in or after a moment: `{time}`.
    case beforeTime, duringTime, afterTime
    /// The time is between two moments: `{from}`, `{to}`.
    case betweenTimes
    /// The time is between sunset and sunrise, or between sunrise and sunset.
    case dark, light
    /// At least one user, or no user, is at home.
    case someoneHome, nobodyHome
    /// A user is at home or away: `{people}`.
    case personHome, personAway
    /// The user who gives a command is at home or away.
    case youHome, youAway
    /// Several users are away: `{first}` and `{second}`, or a list `{people}`.
    case neitherHome, noneHome
    /// A term is false: `{condition}`.
    case not
    /// A group of terms: `{condition}`.
    case group
    /// Whether an empty group of terms is true.
    case always, never

    // MARK: Triggers

    /// A timer that fires once: `{moment}`.
    case timerOnce
    /// A timer that recurs: `{interval}`, `{moment}`.
    case timerRecurring
    /// The days of a trigger: `{days}`.
    case onDays
    /// Monday to Friday; Saturday and Sunday.
    case weekdays, weekends
    /// The condition of a trigger: `{condition}`.
    case ifCondition
    /// A trigger that is disabled after it has fired: `{when}`.
    case once
    /// An effect that ends after a time: `{duration}`.
    case forDuration
    /// An effect that ends with an event: `{event}`.
    case until
    /// The actions that a trigger runs: `{scenes}`.
    case run
    /// A scene's name: `{name}`.
    case scene
    /// The actions of a trigger that has no scene.
    case ownActions
    /// A trigger that runs nothing.
    case nothing
    /// A trigger of a newer version.
    case unknownTrigger

    // MARK: Actions

    /// Writes a value: `{name}`, `{value}`.
    case set
    /// An action of a newer version.
    case unknownAction

    // MARK: Outcomes

    /// Why a trigger doesn't run.
    case conditionFalse, wrongWeekday, disabled, missed, interrupted, loopStopped, clockNotSet, noPlace, notStored
    case begunByOtherHub, late, takeover

    // MARK: Observations

    /// The moment that a time was compared with: `{sun}`, `{time}`.
    case sunWasAt
    /// The time at which something was observed: `{time}`.
    case timeWas
    /// The value that was observed: `{name}`, `{value}`.
    case valueWas
    /// The value was not known: `{name}`.
    case valueUnknown
    /// The sun does not rise or set on the day.
    case noSun

    // MARK: The journal

    /// A write that failed: `{command}`, `{reason}`; with its time: `{time}`.
    case writeFailed, writeFailedAt
    /// A value that was written although it was known: `{name}`, `{value}`.
    case wasAlready
    /// A write of an unknown value: `{name}`.
    case setSomehow
    /// A change of the layout that has no phrase: `{verb}`, `{names}`.
    case otherChange
    /// The home in a change that has no other name for it.
    case thisHome
    /// A scene that ran: `{name}`. One of which actions failed: `{ran}`, `{failures}`, `{actions}`.
    case sceneRan, sceneRanPartly
    /// An accessory can be reached again, or no longer: `{name}`.
    case becameReachable, becameUnreachable
    /// What a trigger did: `{name}`.
    case triggerRan, triggerEnded, triggerInterrupted, triggerDidNotRun
    /// A trigger that ran a scene: `{name}`, `{scene}`.
    case triggerRanScene
    /// A user who used an app: `{person}`, `{app}`.
    case personWithApp
    /// Field: `person`.
    case personWithCommand
    /// A client on a device of its user's: `{client}`, `{device}`.
    case clientOnDevice
    /// A user on the command line of a device: `{person}`, `{device}`.
    case personWithCommandOfDevice
    /// A client outside the home's network: `{client}`.
    case clientAway
    /// An assistant that acts for a user: `{person}`, `{app}`.
    case assistantForPerson
    /// Fields: `person` and `text`.
    case personSaid
    /// The cause of what the accessory reports, as a few words and as a sentence.
    case atTheDevice, operatedAtTheDevice
    /// The requests of clients: `{client}`.
    case requestedBy, agreedBy, startedBy
    /// A client ran a scene: `{client}`, `{name}`.
    case clientRan
    /// What happened and when: `{event}`, `{time}`.
    case eventAt
    /// What happened and why: `{event}`, `{reason}`.
    case because
    /// What happened and the facts that led to it: `{event}`, `{facts}`.
    case withFacts
    /// A term that was false, and its facts: `{term}`, `{facts}`.
    case termWithFacts
    /// The last two facts of a list: `{first}`, `{last}`.
    case alsoTrue
    /// What didn't happen when it was due: `{event}`, `{time}`.
    case wasDue
    /// What led to what was told before: `{sentence}`.
    case before
    /// The time of sunrise or sunset: `{sun}`, `{time}`; with an offset: `{sun}`, `{duration}`.
    case sunAt, sunPlus, sunMinus
    /// A date of another year: `{date}`, `{year}`.
    case dateWithYear
}
