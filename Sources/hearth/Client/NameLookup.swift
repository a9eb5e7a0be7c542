import Foundation
import HomeModel

/// Finds what a person named among the items of a kind: by name, compared as names compare, or by id.
struct NameLookup<Item> {
    private let kind: String
    private let items: [(name: String, id: UUID, item: Item)]

    /// - Parameters:
    ///   - kind: What the items are, for the error: “room”.
    ///   - items: Their names and ids.
    init(_ kind: String, _ items: [(String, UUID, Item)]) {
        self.kind = kind
        self.items = items
    }

    /// The thing of that name or id.
    ///
    /// - Throws: `notFound` with the names there are, or `ambiguous` with the ids of those that have the name.
    func find(_ wanted: String) throws(CommandFailure) -> Item {
        if let id = UUID(uuidString: wanted), let match = items.first(where: { $0.id == id }) { return match.item }
        let folded = FoldedName(wanted)
        let matches = items.filter { FoldedName($0.name) == folded }
        guard let match = matches.first else {
            let names = items.map { "“\($0.name)”" }.sorted().prefix(20).joined(separator: ", ")
            let known = items.isEmpty ? "There is none." : "There is \(names)."
            throw CommandFailure("notFound", "There is no \(kind) “\(wanted)”. \(known)")
        }
        guard matches.count == 1 else {
            let ids = matches.map(\.id.uuidString).joined(separator: ", ")
            throw CommandFailure("ambiguous", "Several are called “\(wanted)”; give an id: \(ids).")
        }
        return match.item
    }
}
