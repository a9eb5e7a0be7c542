import Foundation

/// A weak reference to a delegate. It is set on any thread, and the delegate is called on the app's queue.
final class DelegateReference<Delegate>: @unchecked Sendable {
    // @unchecked because `load` is guarded by `lock`. A Mutex can't hold it, because delegates aren't Sendable. It is a
    // closure because a weak reference can't have a generic type.
    private let lock = NSLock()
    private var load: () -> Delegate? = { nil }

    /// The delegate, or `nil` if it no longer exists.
    var delegate: Delegate? {
        lock.withLock { load() }
    }

    /// Replaces the delegate with the result of `load`, which must hold it weakly.
    func set(_ load: @escaping () -> Delegate?) {
        lock.withLock { self.load = load }
    }
}
