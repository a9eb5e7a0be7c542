internal import Synchronization

/// Withdraws writes that wait in queues, because who asked for them has lost the right to.
package final class WriteWithdrawal: Sendable {
    // This is a class because the writes and who withdraws them share one state.

    private let state = Mutex(false)

    /// Creates a withdrawal that hasn't happened.
    package init() {}

    /// Withdraws all writes with this value that haven't been sent.
    package func withdraw() { state.withLock { $0 = true } }

    /// Whether the writes are withdrawn.
    var isWithdrawn: Bool { state.withLock { $0 } }
}

extension WriteWithdrawal: Hashable {
    package static func == (one: WriteWithdrawal, other: WriteWithdrawal) -> Bool { one === other }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
