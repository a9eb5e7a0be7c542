import HAPCatalog

extension Language {
    /// English.
    package static let english = Language(
        tag: "en",
        phrases: englishPhrases.merging(englishJournalPhrases) { first, _ in first },
        values: englishValues,
        characteristics: [
            HAPType.Characteristic.currentTemperature: "Temperature",
            HAPType.Characteristic.currentRelativeHumidity: "Humidity",
            HAPType.Characteristic.currentAmbientLightLevel: "Light Level",
            HAPType.Characteristic.currentPosition: "Position",
        ],
        recurringDays: ["Sundays", "Mondays", "Tuesdays", "Wednesdays", "Thursdays", "Fridays", "Saturdays"],
        days: ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"],
        months: [
            "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
            "November", "December",
        ],
        changes: englishChanges,
        kinds: englishKinds
    )

    private static let englishPhrases: [Phrase: Phrasing] = [
        .and: Phrasing("{first} and {last}"),
        .or: Phrasing("{first} or {last}"),
        .comma: Phrasing("{first}, {last}"),

        .second: Phrasing("{count} second"),
        .seconds: Phrasing("{count} seconds"),
        .minute: Phrasing("{count} minute"),
        .minutes: Phrasing("{count} minutes"),
        .hour: Phrasing("{count} hour"),
        .hours: Phrasing("{count} hours"),
        .day: Phrasing("{count} day"),
        .days: Phrasing("{count} days"),
        .week: Phrasing("{count} week"),
        .weeks: Phrasing("{count} weeks"),

        .date: Phrasing("{day} {month}"),
        .dateAndTime: Phrasing("{date} at {time}"),
        .dayOfMonth: Phrasing("day {day} of every month at {time}"),
        .minuteOfHour: Phrasing("minute {minute} of every hour"),
        .otherCalendar: Phrasing("the calendar time {components}"),
        .sunrise: Phrasing("sunrise"),
        .sunset: Phrasing("sunset"),
        .beforeSun: Phrasing("{duration} before {sun}"),
        .afterSun: Phrasing("{duration} after {sun}"),

        .atTime: Phrasing("at {time}", "it was {time}"),
        .onDate: Phrasing("on {time}", "it was {time}"),
        .when: Phrasing("when {event}", "{event}"),
        .changes: Phrasing("{name} changes", "{name} changed"),
        .becomes: Phrasing("{name} becomes {value}", "{name} became {value}"),
        .rises: Phrasing("{name} rises to {minimum} or more", "{name} rose to {minimum} or more"),
        .falls: Phrasing("{name} falls to {maximum} or less", "{name} fell to {maximum} or less"),
        .entersRange: Phrasing(
            "{name} comes between {minimum} and {maximum}",
            "{name} came between {minimum} and {maximum}"
        ),
        .arrives: Phrasing("{people} arrives", "{people} arrived"),
        .leaves: Phrasing("{people} leaves", "{people} left"),
        .firstOf: Phrasing("the first of {people}"),
        .lastOf: Phrasing("the last of {people}"),
        .someone: Phrasing("someone"),
        .firstPerson: Phrasing("the first person"),
        .lastPerson: Phrasing("the last person"),
        .youArrive: Phrasing("you arrive", "you arrived"),
        .youLeave: Phrasing("you leave", "you left"),
        .entersRegion: Phrasing("{people} enters a region", "{people} entered a region"),
        .leavesRegion: Phrasing("{people} leaves a region", "{people} left a region"),
        .crossesRegion: Phrasing("{people} enters or leaves a region", "{people} entered or left a region"),
        .comesWithin: Phrasing(
            "{people} comes within {distance} of {place}",
            "{people} came within {distance} of {place}"
        ),
        .goesBeyond: Phrasing(
            "{people} goes more than {distance} from {place}",
            "{people} went more than {distance} from {place}"
        ),
        .youComeWithin: Phrasing("you come within {distance} of {place}", "you came within {distance} of {place}"),
        .youGoBeyond: Phrasing(
            "you go more than {distance} from {place}",
            "you went more than {distance} from {place}"
        ),
        .place: Phrasing("{latitude}, {longitude}"),
        .meters: Phrasing("{count} m"),
        .passes: Phrasing("{duration} have passed", "{duration} had passed"),
        .unknownEvent: Phrasing("an event of a newer version"),
        .unknownCondition: Phrasing("a condition of a newer version"),
        .missingCharacteristic: Phrasing("a missing characteristic"),
        .missingUser: Phrasing("a former user"),
        .missingScene: Phrasing("a missing scene"),

        .equal: Phrasing("{name} is {value}", "{name} was {value}"),
        .notEqual: Phrasing("{name} is not {value}", "{name} was not {value}"),
        .less: Phrasing("{name} is below {value}", "{name} was below {value}"),
        .lessOrEqual: Phrasing("{name} is at most {value}", "{name} was at most {value}"),
        .greaterOrEqual: Phrasing("{name} is at least {value}", "{name} was at least {value}"),
        .greater: Phrasing("{name} is above {value}", "{name} was above {value}"),
        .beforeTime: Phrasing("it is before {time}", "it was before {time}"),
        .duringTime: Phrasing("it is {time}", "it was {time}"),
        .afterTime: Phrasing("it is after {time}", "it was after {time}"),
        .betweenTimes: Phrasing("it is between {from} and {to}", "it was between {from} and {to}"),
        .dark: Phrasing("it is dark", "it was dark"),
        .light: Phrasing("it is light", "it was light"),
        .someoneHome: Phrasing("someone is home", "someone was home"),
        .nobodyHome: Phrasing("nobody is home", "nobody was home"),
        .personHome: Phrasing("{people} is home", "{people} was home"),
        .personAway: Phrasing("{people} is away", "{people} was away"),
        .youHome: Phrasing("you are home", "you were home"),
        .youAway: Phrasing("you are away", "you were away"),
        .neitherHome: Phrasing("neither {first} nor {second} is home", "neither {first} nor {second} was home"),
        .noneHome: Phrasing("none of {people} is home", "none of {people} was home"),
        .not: Phrasing("not {condition}"),
        .group: Phrasing("({condition})"),
        .always: Phrasing("always"),
        .never: Phrasing("never"),

        .timerOnce: Phrasing("once on {moment}"),
        .timerRecurring: Phrasing("every {interval} from {moment}"),
        .onDays: Phrasing("on {days}"),
        .weekdays: Phrasing("weekdays"),
        .weekends: Phrasing("weekends"),
        .ifCondition: Phrasing("if {condition}"),
        .once: Phrasing("once {when}"),
        .forDuration: Phrasing("for {duration}"),
        .until: Phrasing("until {event}"),
        .run: Phrasing("run {scenes}"),
        .scene: Phrasing("“{name}”"),
        .ownActions: Phrasing("its own actions"),
        .nothing: Phrasing("nothing yet"),
        .unknownTrigger: Phrasing("at a time of a newer version"),

        .set: Phrasing("set {name} to {value}"),
        .unknownAction: Phrasing("an action of a newer version"),

        .conditionFalse: Phrasing("its condition is false", "its condition was false"),
        .wrongWeekday: Phrasing("it doesn't run on this day", "it doesn't run on that day"),
        .disabled: Phrasing("it is disabled", "it was disabled"),
        .missed: Phrasing("the hub isn't running at that time", "the hub wasn't running at that time"),
        .interrupted: Phrasing("the hub stops while it runs", "the hub stopped while it ran"),
        .loopStopped: Phrasing(
            "it is part of a chain of automations that set each other off",
            "it was part of a chain of automations that set each other off"
        ),
        .clockNotSet: Phrasing("the hub's clock isn't set", "the hub's clock wasn't set"),
        .noPlace: Phrasing(
            "the home has no place on the map, which the sun's times depend on",
            "the home had no place on the map, which the sun's times depend on"
        ),
        .begunByOtherHub: Phrasing(
            "the other hub begins it and its outcome is unknown",
            "the other hub began it and its outcome is unknown"
        ),
        .late: Phrasing(
            "the hub can't agree with the other hub or the relay in time",
            "the hub could not agree with the other hub or the relay in time"
        ),
        .takeover: Phrasing(
            "its event happens just as this hub takes over from the other one",
            "its event happened just as this hub took over from the other one"
        ),
        .notStored: Phrasing("its run can't be stored", "its run could not be stored"),

        .sunWasAt: Phrasing("{sun} is at {time}", "{sun} was at {time}"),
        .timeWas: Phrasing("it is {time}", "it was {time}"),
        .valueWas: Phrasing("{name} is {value}", "{name} was {value}"),
        .valueUnknown: Phrasing("the value of {name} is not known", "the value of {name} was not known"),
        .noSun: Phrasing("the sun doesn't rise or set", "the sun didn't rise or set"),
    ]
}
