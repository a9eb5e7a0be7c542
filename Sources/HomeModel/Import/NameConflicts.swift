/// The names in a home that several objects have. All of them are reported together, each with its line.
struct NameConflicts {
    /// The maximum number of conflicts in an error.
    static let maximumReported = 20

    /// A name's holder, and the line of the export with the name.
    private struct Holder {
        var holder: NameHolder
        var line: Int?

        func canShare(with other: Holder) -> Bool {
            switch (holder, other.holder) {
            case (.accessory(let id), .service(let owner, _)): id == owner
            case (.service(let owner, _), .accessory(let id)): id == owner
            default: false
            }
        }
    }

    private struct Conflict {
        var line: Int
        var name: String
        var other: Holder
    }

    private let home: Home
    private var conflicts: [Conflict] = []

    /// Finds the conflicts in a home.
    ///
    /// - Parameters:
    ///   - home: The home as it would be after an import.
    ///   - line: A closure that returns the line of the export with a name; `nil` if the name isn't from the export.
    ///     Two such names are not reported as a conflict.
    init(in home: Home, line: (RecordID) -> Int?) {
        self.home = home
        var holders: [FoldedName: [Holder]] = [:]
        var names: [FoldedName: String] = [:]
        holders[FoldedName(Home.defaultRoomName)] = [Holder(holder: .defaultRoom)]
        for actionSet in home.builtInActionSets where !home.actionSetRecords.contains(id: actionSet.id) {
            holders[FoldedName(actionSet.name)] = [Holder(holder: .actionSet(actionSet.id))]
        }
        for use in home.nameUses {
            let name = FoldedName(use.name)
            holders[name, default: []].append(Holder(holder: use.holder, line: line(use.record)))
            names[name] = use.name
        }
        for (name, sharing) in holders where sharing.count > 1 {
            // Holders without a line come first, so that they count as the owners of the name.
            let inOrder = sharing.enumerated().sorted {
                ($0.element.line ?? 0, $0.offset) < ($1.element.line ?? 0, $1.offset)
            }
            .map(\.element)
            for (index, holder) in inOrder.enumerated() {
                guard let line = holder.line, let other = inOrder[..<index].first(where: { !holder.canShare(with: $0) })
                else { continue }
                conflicts.append(Conflict(line: line, name: names[name] ?? "", other: other))
            }
        }
        conflicts.sort { ($0.line, $0.name) < ($1.line, $1.name) }
    }

    /// Throws if there are conflicts.
    func check() throws(HomeError) {
        guard conflicts.count > 1 else {
            guard let conflict = conflicts.first else { return }
            throw HomeError(.nameTaken, "\(text(of: conflict)) Rename one of the two and import again.")
        }
        var lines = ["\(conflicts.count) names are taken:"]
        lines += conflicts.prefix(Self.maximumReported).map(text)
        let unreported = conflicts.count - Self.maximumReported
        if unreported > 0 { lines.append("… and \(unreported) more.") }
        lines.append("Rename one of each two and import again.")
        throw HomeError(.nameTaken, lines.joined(separator: "\n"))
    }

    private func text(of conflict: Conflict) -> String {
        let location = conflict.other.line.map { " (line \($0))" } ?? ""
        let other = home.description(of: conflict.other.holder)
        return "Line \(conflict.line): The name \(conflict.name.quoted) is taken by \(other)\(location)."
    }
}
