import Foundation

/// A trigger within a home.
struct TriggerKey: Hashable, Sendable {
    /// The home.
    let home: UUID
    /// The trigger.
    let trigger: UUID
}

/// An event of a trigger by its position, or its timer.
struct EventReference: Hashable, Sendable {
    /// The kind of event.
    enum Role: Hashable, Sendable {
        /// The timer.
        case timer
        /// An event that fires the trigger.
        case event(Int)
        /// An event that ends its effect.
        case endEvent(Int)
    }

    /// The trigger.
    let trigger: TriggerKey
    /// The event.
    let role: Role

    /// Whether the event ends the trigger's effect.
    var isEnd: Bool { if case .endEvent = role { true } else { false } }
}

extension EventReference {
    /// The position among the events or end events.
    var position: Int {
        switch role {
        case .timer: 0
        case .event(let index), .endEvent(let index): index
        }
    }
}
