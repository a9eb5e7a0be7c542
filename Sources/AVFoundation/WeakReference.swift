import Synchronization

/// A weak reference to a player. This is a class because the closures of the player's output are made before the player.
final class WeakReference<Object: AnyObject & Sendable>: Sendable {
    private struct Reference {
        weak var object: Object?
    }

    private let reference = Mutex(Reference())

    var object: Object? {
        get { reference.withLock { $0.object } }
        set { reference.withLock { $0.object = newValue } }
    }
}
