import Foundation
import HomeModel

/// The identity of one firing or one end of a trigger. It is the same after a restart and after the clock is set back, so
/// that a firing can be claimed once.
package struct OccurrenceKey: Hashable, Sendable {
    private enum Occasion: Hashable, Sendable {
        case due(Int64)
        case event(UUID)
    }

    private let trigger: UUID
    private let isEnd: Bool
    private let occasion: Occasion

    /// Creates the key of a trigger's firing, or of its end, at a due time.
    init(_ trigger: UUID, isEnd: Bool, due: Date) {
        self.trigger = trigger
        self.isEnd = isEnd
        occasion = .due(due.milliseconds)
    }

    /// Creates the key of a trigger's firing, or of its end, on an event.
    init(_ trigger: UUID, isEnd: Bool, event: UUID) {
        self.trigger = trigger
        self.isEnd = isEnd
        occasion = .event(event)
    }

    /// The key as text, to be stored.
    package var rawValue: String {
        let role = isEnd ? "/end" : ""
        return switch occasion {
        case .due(let milliseconds): "\(trigger)\(role)@\(milliseconds)"
        case .event(let event): "\(trigger)\(role):\(event)"
        }
    }
}
