import Foundation

/// A manager's objects of one class: one for each identity, and the same one for as long as that exists.
///
/// While the manager lives its objects do, so that a delegate set on one of them is called though the app keeps no
/// reference to the object. Afterwards only what the app keeps is left.
struct ObjectTable<Object: AnyObject> {
    private enum Entry {
        case held(Object)
        case watched(Watch)
    }

    private struct Watch {
        weak var object: Object?
    }

    private var entries: [UUID: Entry] = [:]
    private var isHolding = true

    /// The object of an identity, if one was made.
    subscript(id: UUID) -> Object? {
        switch entries[id] {
        case .held(let object): object
        case .watched(let watch): watch.object
        case nil: nil
        }
    }

    /// The object of an identity; made if there is none.
    mutating func object(_ id: UUID, make: () -> Object) -> Object {
        if let object = self[id] { return object }
        let object = make()
        insert(object, id)
        return object
    }

    /// Makes an object that of an identity.
    mutating func insert(_ object: Object, _ id: UUID) {
        entries[id] = isHolding ? .held(object) : .watched(Watch(object: object))
    }

    /// Forgets the object of an identity.
    mutating func remove(_ id: UUID) -> Object? {
        defer { entries[id] = nil }
        return self[id]
    }

    /// Every object with its identity.
    var objects: [(id: UUID, object: Object)] {
        entries.keys.compactMap { id in self[id].map { (id, $0) } }
    }

    /// Keeps the objects no longer alive.
    mutating func letGo() {
        isHolding = false
        entries = entries.mapValues { entry in
            if case .held(let object) = entry { .watched(Watch(object: object)) } else { entry }
        }
    }
}
