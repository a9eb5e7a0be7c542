package import Foundation
package import HomeModel

/// What a trigger does about one of its events or times.
package struct TriggerDecision: Hashable, Sendable {
    /// The outcome of an event or a time.
    package enum Outcome: Hashable, Sendable {
        /// The trigger runs its action sets.
        case fire
        /// The effect of an earlier firing ends.
        case end
        /// The trigger doesn't fire.
        case held(Obstacle)
        /// Times have passed while the hub wasn't running or the machine was suspended. The number is at most
        /// ``AutomationLimits/countedMisses``; ``TriggerDecision/due`` is the latest of them.
        case missed(Int)
    }

    /// The reason why a trigger doesn't fire.
    package enum Obstacle: Hashable, Sendable {
        /// The condition isn't true.
        case conditionFalse
        /// The trigger doesn't fire on this day of the week.
        case wrongWeekday
        /// The trigger is part of a chain of triggers that set each other off, or fires too often.
        case loopStopped
        /// The trigger is disabled.
        case disabled
        /// The engine hasn't been started, because the clock isn't set.
        case clockNotSet
        /// The trigger only waits for the sun, and the home has no place.
        case noPlace
    }

    /// The home.
    package var home: UUID
    /// The trigger.
    package var trigger: UUID
    /// The event that happened; `nil` for a timer.
    package var event: TriggerEvent?
    /// When a timer, a calendar event, a moment of the sun or a duration was due; `nil` for other events.
    package var due: Date?
    /// The engine's time of the decision.
    package var time: Date
    /// The identity of this firing or end, to be claimed before acting.
    package var occurrence: OccurrenceKey
    /// The outcome.
    package var outcome: Outcome
    /// The terms of the condition as they were found; empty without a condition, and if it wasn't evaluated.
    package var observations: [Observation]
    /// The activity that caused the event; `nil` for times, and if none did.
    package var parent: UUID?
    /// Whether the trigger has nothing left to do, so that it is to be disabled: it fires only once and has fired, or its
    /// only time has passed.
    package var isLast: Bool
}
