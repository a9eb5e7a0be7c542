import Foundation
import HashTreeCollections

/// The holder of a name within a home.
enum NameHolder: Hashable, Sendable {
    case defaultRoom
    case room(UUID)
    case zone(UUID)
    case accessory(UUID)
    /// A service with a name that a user chose.
    case service(accessory: UUID, iid: UInt64)
    case serviceGroup(UUID)
    /// An action set that isn't owned by a trigger.
    case actionSet(UUID)
    case trigger(UUID)
}

/// The names of a home by their folded form.
///
/// A name has one holder, or two if a service has its accessory's name. A log that was written under other rules may
/// have any number.
struct NameIndex: Sendable {
    /// The holders of a name. A single one is stored without an array, so that copies are cheap.
    private struct Holders: Sendable {
        var first: NameHolder
        var others: [NameHolder]?

        var all: [NameHolder] { [first] + (others ?? []) }

        mutating func add(_ holder: NameHolder) {
            if others == nil { others = [holder] } else { others?.append(holder) }
        }
    }

    private var holders: TreeDictionary<FoldedName, Holders> = [
        FoldedName(Home.defaultRoomName): Holders(first: .defaultRoom)
    ]

    /// The holders of a name that compares equal.
    subscript(name: FoldedName) -> [NameHolder] { holders[name]?.all ?? [] }

    mutating func insert(_ holder: NameHolder, _ name: String) {
        let name = FoldedName(name)
        // Modified in place, because a log from elsewhere may give the same name to very many objects.
        if holders[name]?.add(holder) == nil { holders[name] = Holders(first: holder) }
    }

    mutating func remove(_ holder: NameHolder, _ name: String) {
        let name = FoldedName(name)
        guard let known = holders[name] else { return }
        let rest = known.all.filter { $0 != holder }
        holders[name] = rest.first.map { first in
            Holders(first: first, others: rest.count > 1 ? Array(rest.dropFirst()) : nil)
        }
    }
}
