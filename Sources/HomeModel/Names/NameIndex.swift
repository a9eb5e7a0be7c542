import Foundation
import HashTreeCollections

/// Who bears a name within a home.
enum NameHolder: Hashable, Sendable {
    case defaultRoom
    case room(UUID)
    case zone(UUID)
    case accessory(UUID)
    /// A service that a person named.
    case service(accessory: UUID, iid: UInt64)
    case serviceGroup(UUID)
    /// An action set that no trigger owns.
    case actionSet(UUID)
    case trigger(UUID)
}

/// The names of a home by their folded form.
///
/// A name has one bearer, or two where a service carries its accessory's name. A log that was written under other
/// rules may have any number.
struct NameIndex: Sendable {
    /// Whoever bears a name; one alone is held without an array, so that copies of the index's parts are cheap.
    private struct Holders: Sendable {
        var first: NameHolder
        var others: [NameHolder]?

        var all: [NameHolder] { [first] + (others ?? []) }

        mutating func add(_ bearer: NameHolder) {
            if others == nil { others = [bearer] } else { others?.append(bearer) }
        }
    }

    private var bearers: TreeDictionary<FoldedName, Holders> = [
        FoldedName(Home.defaultRoomName): Holders(first: .defaultRoom)
    ]

    /// Everyone who bears a name that compares equal.
    subscript(name: FoldedName) -> [NameHolder] { bearers[name]?.all ?? [] }

    mutating func insert(_ bearer: NameHolder, _ name: String) {
        let name = FoldedName(name)
        // In place, for what was not written by these rules may give one name to very many.
        if bearers[name]?.add(bearer) == nil { bearers[name] = Holders(first: bearer) }
    }

    mutating func remove(_ bearer: NameHolder, _ name: String) {
        let name = FoldedName(name)
        guard let known = bearers[name] else { return }
        let rest = known.all.filter { $0 != bearer }
        bearers[name] = rest.first.map { first in
            Holders(first: first, others: rest.count > 1 ? Array(rest.dropFirst()) : nil)
        }
    }
}
