import Foundation

/// A manager's objects of one class, with exactly one object per identity.
///
/// The objects live as long as the manager, so that a delegate is called even if the app doesn't retain the object it
/// is set on. After that, only objects that the app retains remain.
struct ObjectTable<Object: AnyObject> {
    private enum Entry {
        case strong(Object)
        case weak(WeakReference)
    }

    private struct WeakReference {
        weak var object: Object?
    }

    private var entries: [UUID: Entry] = [:]
    private var retainsObjects = true

    /// The object with an identity, if it was created.
    subscript(id: UUID) -> Object? {
        switch entries[id] {
        case .strong(let object): object
        case .weak(let reference): reference.object
        case nil: nil
        }
    }

    /// Returns the object with an identity, and creates it if necessary.
    mutating func object(_ id: UUID, make: () -> Object) -> Object {
        if let object = self[id] { return object }
        let object = make()
        insert(object, id)
        return object
    }

    /// Sets the object with an identity.
    mutating func insert(_ object: Object, _ id: UUID) {
        entries[id] = retainsObjects ? .strong(object) : .weak(WeakReference(object: object))
    }

    /// Removes and returns the object with an identity.
    mutating func remove(_ id: UUID) -> Object? {
        defer { entries[id] = nil }
        return self[id]
    }

    /// All objects with their identities.
    var objects: [(id: UUID, object: Object)] {
        entries.keys.compactMap { id in self[id].map { (id, $0) } }
    }

    /// Makes all references to the objects weak.
    mutating func releaseObjects() {
        retainsObjects = false
        entries = entries.mapValues { entry in
            if case .strong(let object) = entry { .weak(WeakReference(object: object)) } else { entry }
        }
    }
}
