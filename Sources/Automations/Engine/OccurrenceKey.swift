import Foundation
import HomeModel

/// The identity of one firing or one end of a trigger. It is the same after a restart and after the clock is set back, so
/// that a firing can be claimed once.
package struct OccurrenceKey: RawRepresentable, Hashable, Sendable, Codable {
    /// The key as text.
    package var rawValue: String

    /// Creates a key from its text.
    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Creates the key of a trigger's firing, or of its end, at a due time.
    init(_ trigger: UUID, isEnd: Bool, due: Date) {
        rawValue = "\(trigger)\(isEnd ? "/end" : "")@\(due.milliseconds)"
    }

    /// Creates the key of a trigger's firing, or of its end, on an event.
    init(_ trigger: UUID, isEnd: Bool, event: UUID) {
        rawValue = "\(trigger)\(isEnd ? "/end" : ""):\(event)"
    }
}
