import Foundation
import HashTreeCollections

/// Who bears a name within a home.
enum NameBearer: Hashable, Sendable {
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
    private var bearers: TreeDictionary<FoldedName, [NameBearer]> = [
        FoldedName(Home.defaultRoomName): [.defaultRoom]
    ]

    /// Everyone who bears a name that compares equal.
    subscript(name: FoldedName) -> [NameBearer] { bearers[name] ?? [] }

    mutating func insert(_ bearer: NameBearer, _ name: String) {
        bearers[FoldedName(name), default: []].append(bearer)
    }

    mutating func remove(_ bearer: NameBearer, _ name: String) {
        let name = FoldedName(name)
        bearers[name]?.removeAll { $0 == bearer }
        if bearers[name]?.isEmpty == true { bearers[name] = nil }
    }
}
