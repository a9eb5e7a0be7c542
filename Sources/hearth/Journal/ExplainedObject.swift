import Foundation
import HomeModel

/// An object of a home that the journal has entries about, found by its name.
struct ExplainedObject {
    var id: UUID
    var name: String
}

extension NamedHome {
    /// Returns the accessories, scenes and automations with a name or ID. An accessory is also found by a service's name.
    ///
    /// A scene and an automation often share their name, so there may be several: at most one of each kind.
    ///
    /// - Throws: `notFound`, or `ambiguous` if several objects of one kind have the name.
    func explainedObjects(_ name: String) throws(CommandFailure) -> [ExplainedObject] {
        let scenes = home.actionSets.map { ($0.name, $0.id) }
        let automations = home.triggers.map { ($0.name, $0.id) }
        let accessories = home.accessories.map { ($0.name, $0.id) }
        var found: [ExplainedObject] = []
        for (kind, items) in [("accessory", accessories), ("scene", scenes), ("automation", automations)] {
            do throws(CommandFailure) {
                let rows = items.map { ($0.0, $0.1, ExplainedObject(id: $0.1, name: $0.0)) }
                found.append(try NameLookup(kind, rows).find(name))
            } catch {
                guard error.name == "notFound" else { throw error }
            }
        }
        if let id = UUID(uuidString: name), found.isEmpty {
            // An object that was removed has no name any more.
            return [ExplainedObject(id: id, name: name)]
        }
        if found.isEmpty, let service = namedServices.first(where: { FoldedName($0.name) == FoldedName(name) }) {
            return [ExplainedObject(id: service.accessory.id, name: service.accessory.name)]
        }
        guard !found.isEmpty else {
            let all = (accessories + scenes + automations).map { ($0.0, $0.1, ()) }
            _ = try NameLookup("accessory, scene or automation", all).find(name)
            return []
        }
        return found
    }
}
