import Foundation

/// A weak delegate, set on any thread and called on the app's queue.
final class DelegateReference<Delegate>: @unchecked Sendable {
    // @unchecked: `load` is touched with `lock` held and not otherwise. A Mutex cannot hold it, because delegates are
    // not Sendable. A closure, because a generic parameter cannot be held weakly.
    private let lock = NSLock()
    private var load: () -> Delegate? = { nil }

    /// The delegate, while it lives.
    var delegate: Delegate? {
        lock.withLock { load() }
    }

    /// Replaces the delegate by what `load` returns, which must hold it weakly.
    func set(_ load: @escaping () -> Delegate?) {
        lock.withLock { self.load = load }
    }
}
