package import Foundation
package import HomeModel

/// Triggers whose event happened and that don't fire, because they share a condition that isn't true.
///
/// Their condition is evaluated once for all. There is no decision for each of them, so that a value that a thousand triggers
/// watch costs no more than one that a single trigger watches.
package struct HeldTriggers: Hashable, Sendable {
    /// A trigger and its event.
    package struct Member: Hashable, Sendable {
        /// The trigger.
        package var trigger: UUID
        /// The event that happened.
        package var event: TriggerEvent
        /// The position of the event among the trigger's events.
        var position = 0

        /// Creates a member.
        package init(trigger: UUID, event: TriggerEvent) {
            self.trigger = trigger
            self.event = event
        }

        func reference(in home: UUID) -> EventReference {
            EventReference(trigger: TriggerKey(home: home, trigger: trigger), role: .event(position))
        }
    }

    /// The home.
    package var home: UUID
    /// The triggers, each once. Events of the same kind have the same list until triggers change.
    package var members: [Member]
    /// The terms of the condition as they were found.
    package var observations: [Observation]
    /// The engine's time of the event.
    package var time: Date
    /// The activity that caused the event; `nil` if none did.
    package var parent: UUID?

    /// Creates held triggers.
    package init(home: UUID, members: [Member], observations: [Observation], time: Date, parent: UUID?) {
        self.home = home
        self.members = members
        self.observations = observations
        self.time = time
        self.parent = parent
    }
}
