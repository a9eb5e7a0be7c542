internal import Synchronization

/// A sequence number for everything that this process receives from accessories. Of two values of one characteristic,
/// the one with the higher number is current.
package struct ArrivalOrder: Comparable, Hashable, Sendable {
    private static let count = Atomic<UInt64>(0)

    private let number: UInt64

    /// Returns the next number. Call it when a message arrives, on its session's event loop.
    package static func next() -> ArrivalOrder {
        ArrivalOrder(number: count.add(1, ordering: .sequentiallyConsistent).newValue)
    }

    /// Returns whether the first arrived before the second.
    package static func < (earlier: ArrivalOrder, later: ArrivalOrder) -> Bool {
        earlier.number < later.number
    }
}
