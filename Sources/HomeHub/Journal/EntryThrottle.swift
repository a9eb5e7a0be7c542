import Foundation
import HomeModel
import HubAPI

/// Limits how fast one characteristic fills the journal, so that a program or an accessory in a loop doesn't displace the
/// history of all others.
struct EntryThrottle {
    /// The maximum number of a characteristic's entries in a minute.
    static let entriesPerMinute = 600
    private static let minute: TimeInterval = 60

    private struct Repetition: Hashable {
        var characteristic: CharacteristicReference
        var content: JournalContent
        var cause: String
        var app: String?
    }

    private var began = Date.distantPast
    private var counts: [CharacteristicReference: Int] = [:]
    private var repeated: Set<Repetition> = []

    /// Returns whether an entry about a characteristic is recorded.
    ///
    /// - Parameter isRepeatable: Whether an equal entry of the same minute makes this one superfluous: a write that repeats
    ///   the known value, or that fails like the one before.
    mutating func admits(
        _ entry: JournalEntry,
        about characteristic: CharacteristicReference,
        isRepeatable: Bool
    ) -> Bool {
        let age = entry.time.timeIntervalSince(began)
        // A clock that is set back begins another minute.
        if age < 0 || age >= Self.minute { self = EntryThrottle(began: entry.time) }
        if isRepeatable {
            let repetition = Repetition(
                characteristic: characteristic,
                content: entry.content,
                cause: entry.cause.kind.rawValue,
                app: entry.app
            )
            guard repeated.insert(repetition).inserted else { return false }
        }
        counts[characteristic, default: 0] += 1
        return counts[characteristic, default: 0] <= Self.entriesPerMinute
    }

    init() {}

    private init(began: Date) { self.began = began }
}
