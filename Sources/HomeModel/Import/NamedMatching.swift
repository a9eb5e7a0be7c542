package import Foundation

/// Matches an export's objects with existing ones, by ID and then by name. Names are unique on both sides.
package struct NamedMatching: Sendable {
    /// The ID of the existing object for each matched object of the export.
    package let here: [UUID: UUID]

    /// Matches objects by their IDs and names.
    package init(_ exported: [(id: UUID, name: String)], with existing: [(id: UUID, name: String)]) {
        let identities = Set(existing.map(\.id))
        var here: [UUID: UUID] = [:]
        for item in exported where identities.contains(item.id) { here[item.id] = item.id }
        var byName: [FoldedName: UUID] = [:]
        for item in existing where here[item.id] == nil { byName[FoldedName(item.name)] = item.id }
        for item in exported where here[item.id] == nil {
            if let id = byName.removeValue(forKey: FoldedName(item.name)) { here[item.id] = id }
        }
        self.here = here
    }
}
