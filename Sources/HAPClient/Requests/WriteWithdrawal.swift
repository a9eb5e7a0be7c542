internal import Synchronization

/// Withdraws writes that wait in queues, because who asked for them has lost the right to, or because it is too late.
package final class WriteWithdrawal: Sendable {
    // This is a class because the writes and who withdraws them share one state.

    private let state = Mutex(false)
    private let whole: WriteWithdrawal?
    private let isOver: @Sendable () -> Bool

    /// Creates a withdrawal that hasn't happened.
    ///
    /// - Parameters:
    ///   - whole: A withdrawal that includes this one; `nil` if none does.
    ///   - isOver: Whether the time for the writes is over. It is asked just before each is sent.
    package init(of whole: WriteWithdrawal? = nil, isOver: @escaping @Sendable () -> Bool = { false }) {
        self.whole = whole
        self.isOver = isOver
    }

    /// Withdraws all writes with this value that haven't been sent.
    package func withdraw() { state.withLock { $0 = true } }

    /// Why the writes must not be sent; `nil` if they may.
    var failure: AccessoryFailure? {
        if state.withLock({ $0 }) { return .stopped }
        return whole?.failure ?? (isOver() ? .expired : nil)
    }
}

extension WriteWithdrawal: Hashable {
    package static func == (one: WriteWithdrawal, other: WriteWithdrawal) -> Bool { one === other }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
