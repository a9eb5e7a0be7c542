package import Foundation
package import HomeModel

/// The result of running an action set.
package struct ActionSetResult: Hashable, Sendable, Codable {
    /// An action that failed.
    package struct Failure: Hashable, Sendable, Codable {
        /// The action.
        package var action: UUID
        /// The accessory; `nil` if the action is of a newer version.
        package var accessory: UUID?
        /// Why it failed.
        package var error: HubError

        /// Creates a failure.
        package init(action: UUID, accessory: UUID?, error: HubError) {
            self.action = action
            self.accessory = accessory
            self.error = error
        }
    }

    /// The number of actions that the action set has.
    package var actions: Int
    /// The actions that failed, in their order.
    package var failures: [Failure]

    /// Creates a result.
    package init(actions: Int, failures: [Failure]) {
        self.actions = actions
        self.failures = failures
    }
}

/// What a trigger would do now, and its next firing.
package struct TriggerForecast: Hashable, Sendable, Codable {
    /// Whether the trigger would run its action sets if one of its events happened now.
    package var wouldRun: Bool
    /// Why it would not run, for a reason other than its condition; `nil` if there is none.
    package var obstacle: TriggerOutcome?
    /// The terms of the condition as they are now; empty without a condition.
    package var observations: [Observation]
    /// When the trigger fires next; `nil` if no time is known, because it waits for events of other kinds.
    package var next: Date?

    /// Creates a forecast.
    package init(wouldRun: Bool, obstacle: TriggerOutcome?, observations: [Observation], next: Date?) {
        self.wouldRun = wouldRun
        self.obstacle = obstacle
        self.observations = observations
        self.next = next
    }
}

/// The outcome of a trigger's event. Unknown values are preserved.
package struct TriggerOutcome: Hashable, Sendable, Codable, RawRepresentable {
    /// The outcome's name in logs and messages.
    package var rawValue: String

    /// Creates a value from its name.
    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The trigger ran its action sets.
    package static let fired = TriggerOutcome(rawValue: "fired")
    /// An end event restored what the trigger had changed.
    package static let ended = TriggerOutcome(rawValue: "ended")
    /// The condition was false.
    package static let conditionFalse = TriggerOutcome(rawValue: "conditionFalse")
    /// The trigger doesn't fire on this day of the week.
    package static let wrongWeekday = TriggerOutcome(rawValue: "wrongWeekday")
    /// The trigger is disabled.
    package static let disabled = TriggerOutcome(rawValue: "disabled")
    /// The time passed while the hub wasn't running.
    package static let missed = TriggerOutcome(rawValue: "missed")
    /// The hub stopped after it had claimed the firing, so it is unknown which actions were carried out.
    package static let interrupted = TriggerOutcome(rawValue: "interrupted")
    /// The other hub claimed the firing as the leader and didn't end it, so it is unknown which actions were carried out.
    package static let begunByOtherHub = TriggerOutcome(rawValue: "begunByOtherHub")
    /// The firing couldn't be agreed with the other hub or the relay until it was too late, so nothing ran.
    package static let late = TriggerOutcome(rawValue: "late")
    /// The event happened just after this hub began to lead. The other one may have fired for it, so this one didn't.
    package static let takeover = TriggerOutcome(rawValue: "takeover")
    /// The trigger was part of a chain of triggers that set each other off.
    package static let loopStopped = TriggerOutcome(rawValue: "loopStopped")
    /// The hub's clock isn't set.
    package static let clockNotSet = TriggerOutcome(rawValue: "clockNotSet")
    /// The home has no place, which sunrise and sunset depend on.
    package static let noPlace = TriggerOutcome(rawValue: "noPlace")
    /// The firing could not be stored, so nothing ran.
    package static let notStored = TriggerOutcome(rawValue: "notStored")
}

/// The last run of an action set or a trigger.
package struct RunUpdate: Hashable, Sendable, Codable {
    /// The home.
    package var home: UUID
    /// The action set or the trigger.
    package var id: UUID
    /// Whether the action set is running.
    package var isRunning: Bool
    /// When the action set ran or the trigger fired last; `nil` if it never did.
    package var last: Date?

    /// Creates an update.
    package init(home: UUID, id: UUID, isRunning: Bool, last: Date?) {
        self.home = home
        self.id = id
        self.isRunning = isRunning
        self.last = last
    }
}

/// A user's presence in a home.
package struct PresenceStatus: Hashable, Sendable, Codable {
    /// The user's ID in the home.
    package var user: UUID
    /// The user's name.
    package var name: String
    /// Whether the user is at home; `nil` if it was never reported.
    package var isHome: Bool?
    /// Since when; `nil` if it was never reported.
    package var since: Date?

    /// Creates a status.
    package init(user: UUID, name: String, isHome: Bool?, since: Date?) {
        self.user = user
        self.name = name
        self.isHome = isHome
        self.since = since
    }
}

/// The presence of a home's users.
package struct PresenceList: Hashable, Sendable, Codable {
    /// The users, in the order in which they joined.
    package var users: [PresenceStatus]

    /// Creates a list.
    package init(users: [PresenceStatus]) {
        self.users = users
    }
}

/// Reports a user's presence. Exactly one of `isHome` and `place` must be given.
package struct SetPresence: Hashable, Sendable, Codable {
    /// The home.
    package var home: UUID
    /// The user's ID in the home; `nil` for the caller. Only administrators can report others.
    package var user: UUID?
    /// Whether the user is at home.
    package var isHome: Bool?
    /// Where the user is. The user counts as at home near the home's place; regions of triggers are entered and left.
    package var place: Place?

    /// Creates the parameters.
    package init(home: UUID, user: UUID? = nil, isHome: Bool? = nil, place: Place? = nil) {
        self.home = home
        self.user = user
        self.isHome = isHome
        self.place = place
    }
}

/// The hub's time.
package struct ClockTime: Hashable, Sendable, Codable {
    /// The time, in milliseconds since 1970.
    package var milliseconds: Int64
    /// Whether the clock only advances on request.
    package var isManual: Bool
    /// The identifier of the hub's time zone.
    package var timeZone: String

    /// Creates a time.
    package init(milliseconds: Int64, isManual: Bool, timeZone: String) {
        self.milliseconds = milliseconds
        self.isManual = isManual
        self.timeZone = timeZone
    }
}

/// Advances a manual clock.
package struct AdvanceClock: Hashable, Sendable, Codable {
    /// The milliseconds to advance by, more than 0 and at most ``HubProtocol/longestClockAdvance``.
    package var milliseconds: Int64

    /// Creates the parameters.
    package init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }
}
