import Foundation
import HomeModel

/// Finds what a person named among the things of a kind: by name, compared as names compare, or by id.
struct NameLookup<Thing> {
    private let kind: String
    private let things: [(name: String, id: UUID, thing: Thing)]

    /// - Parameters:
    ///   - kind: What the things are, for the error: “room”.
    ///   - things: Their names and ids.
    init(_ kind: String, _ things: [(String, UUID, Thing)]) {
        self.kind = kind
        self.things = things
    }

    /// The thing of that name or id.
    ///
    /// - Throws: `notFound` with the names there are, or `ambiguous` with the ids of those that have the name.
    func named(_ wanted: String) throws(CommandFailure) -> Thing {
        if let id = UUID(uuidString: wanted), let match = things.first(where: { $0.id == id }) { return match.thing }
        let folded = FoldedName(wanted)
        let matches = things.filter { FoldedName($0.name) == folded }
        guard let match = matches.first else {
            let names = things.map { "“\($0.name)”" }.sorted().prefix(20).joined(separator: ", ")
            let known = things.isEmpty ? "There is none." : "There is \(names)."
            throw CommandFailure("notFound", "There is no \(kind) “\(wanted)”. \(known)")
        }
        guard matches.count == 1 else {
            let ids = matches.map(\.id.uuidString).joined(separator: ", ")
            throw CommandFailure("ambiguous", "Several are called “\(wanted)”; give an id: \(ids).")
        }
        return match.thing
    }
}
