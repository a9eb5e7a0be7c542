import Foundation
import HomeModel

/// Finds an object of one kind by its name, compared as ``FoldedName``, or by its ID.
struct NameLookup<Item> {
    private let kind: String
    private let items: [(name: String, id: UUID, item: Item)]

    /// - Parameters:
    ///   - kind: The kind's name in error messages, such as “room”.
    ///   - items: The objects with their names and IDs.
    init(_ kind: String, _ items: [(String, UUID, Item)]) {
        self.kind = kind
        self.items = items
    }

    /// Returns the object with a name or ID.
    ///
    /// - Throws: `notFound` with the existing names, or `ambiguous` with the IDs of the objects that share the name.
    func find(_ wanted: String) throws(CommandFailure) -> Item {
        if let id = UUID(uuidString: wanted), let match = items.first(where: { $0.id == id }) { return match.item }
        let folded = FoldedName(wanted)
        let matches = items.filter { FoldedName($0.name) == folded }
        guard let match = matches.first else {
            let names = items.map { "“\($0.name)”" }.sorted().prefix(20).joined(separator: ", ")
            let existing = items.isEmpty ? "None exists." : "Existing names: \(names)."
            throw CommandFailure("notFound", "There is no \(kind) “\(wanted)”. \(existing)")
        }
        guard matches.count == 1 else {
            let ids = matches.map(\.id.uuidString).joined(separator: ", ")
            throw CommandFailure("ambiguous", "“\(wanted)” is ambiguous. Use an ID instead: \(ids).")
        }
        return match.item
    }
}
