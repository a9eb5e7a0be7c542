internal import Synchronization

/// The place of an answer or an event among all that accessories have sent to this process: of two values of one
/// characteristic, the one that arrived later is the one that holds, whichever is looked at first.
package struct Arrival: Comparable, Hashable, Sendable {
    private static let count = Atomic<UInt64>(0)

    private let number: UInt64

    /// The next place. Take it where something arrives, on its session's event loop.
    package static func next() -> Arrival {
        Arrival(number: count.add(1, ordering: .sequentiallyConsistent).newValue)
    }

    /// Whether the one came before the other.
    package static func < (earlier: Arrival, later: Arrival) -> Bool {
        earlier.number < later.number
    }
}
