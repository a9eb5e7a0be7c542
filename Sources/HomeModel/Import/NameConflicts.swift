/// The names of a home that several things bear: all of them are told at once, each with its line.
struct NameConflicts {
    /// The most names that one refusal tells of.
    static let told = 20

    /// A name's bearer, and the line of the export that gave it the name.
    private struct Bearer {
        var bearer: NameHolder
        var line: Int?

        func mayShare(with other: Bearer) -> Bool {
            switch (bearer, other.bearer) {
            case (.accessory(let id), .service(let owner, _)): id == owner
            case (.service(let owner, _), .accessory(let id)): id == owner
            default: false
            }
        }
    }

    private struct Conflict {
        var line: Int
        var name: String
        var other: Bearer
    }

    private let home: Home
    private var conflicts: [Conflict] = []

    /// Finds them.
    ///
    /// - Parameters:
    ///   - home: The home as it would be.
    ///   - line: The line that gave something its name; nil for what no line speaks of. Of two that no line speaks of
    ///     nothing is told.
    init(in home: Home, line: (RecordID) -> Int?) {
        self.home = home
        var bearers: [FoldedName: [Bearer]] = [:]
        var names: [FoldedName: String] = [:]
        bearers[FoldedName(Home.defaultRoomName)] = [Bearer(bearer: .defaultRoom)]
        for actionSet in home.builtInActionSets where !home.actionSetRecords.contains(id: actionSet.id) {
            bearers[FoldedName(actionSet.name)] = [Bearer(bearer: .actionSet(actionSet.id))]
        }
        for borne in home.bearers {
            let name = FoldedName(borne.name)
            bearers[name, default: []].append(Bearer(bearer: borne.bearer, line: line(borne.record)))
            names[name] = borne.name
        }
        for (name, sharing) in bearers where sharing.count > 1 {
            // What has no line comes first, so that the name is taken by it.
            let inOrder = sharing.enumerated().sorted {
                ($0.element.line ?? 0, $0.offset) < ($1.element.line ?? 0, $1.offset)
            }
            .map(\.element)
            for (index, bearer) in inOrder.enumerated() {
                guard let line = bearer.line, let other = inOrder[..<index].first(where: { !bearer.mayShare(with: $0) })
                else { continue }
                conflicts.append(Conflict(line: line, name: names[name] ?? "", other: other))
            }
        }
        conflicts.sort { ($0.line, $0.name) < ($1.line, $1.name) }
    }

    /// Refuses what has some.
    func check() throws(HomeError) {
        guard conflicts.count > 1 else {
            guard let conflict = conflicts.first else { return }
            throw HomeError(.nameTaken, "\(text(of: conflict)) Rename one of the two, and import again.")
        }
        var lines = ["\(conflicts.count) names are taken:"]
        lines += conflicts.prefix(Self.told).map(text)
        if conflicts.count > Self.told { lines.append("… and \(conflicts.count - Self.told) more.") }
        lines.append("Rename one of each two, and import again.")
        throw HomeError(.nameTaken, lines.joined(separator: "\n"))
    }

    private func text(of conflict: Conflict) -> String {
        let place = conflict.other.line.map { " (line \($0))" } ?? ""
        let other = home.description(of: conflict.other.bearer)
        return "Line \(conflict.line): The name \(conflict.name.shownInQuotes) is taken by \(other)\(place)."
    }
}
