package import Foundation

/// Which things of an export are which of those that are here: by identity, else by name. Names are unique on either side.
package struct NamedMatching: Sendable {
    /// The identity here of each one of the export that is here.
    package let here: [UUID: UUID]

    /// Matches things, given by identity and name.
    package init(_ exported: [(id: UUID, name: String)], with present: [(id: UUID, name: String)]) {
        let identities = Set(present.map(\.id))
        var here: [UUID: UUID] = [:]
        for thing in exported where identities.contains(thing.id) { here[thing.id] = thing.id }
        var byName: [FoldedName: UUID] = [:]
        for thing in present where here[thing.id] == nil { byName[FoldedName(thing.name)] = thing.id }
        for thing in exported where here[thing.id] == nil {
            if let id = byName.removeValue(forKey: FoldedName(thing.name)) { here[thing.id] = id }
        }
        self.here = here
    }
}
