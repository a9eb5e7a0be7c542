package import Foundation

/// What an import comes to in one home.
package struct HomeImport: Sendable {
    /// The change that brings all of it; nil if everything is as the export says already.
    package var change: Change?
    /// What becomes of each thing.
    package var items: [ImportReport.Item]
    /// How many things are as the export says already.
    package var unchanged: Int
}

extension Home {
    /// Decides to take over what an export says of a home, under the same rules as ``decide(_:by:at:)``: all of it in one
    /// change. Nothing is changed; ``apply(_:)`` does that with the result.
    ///
    /// What is in both becomes as the export says. What only the home has stays. What the home cannot have is left out and
    /// said: what belongs to an accessory that is not here, or to people, who are not brought along.
    ///
    /// - Parameters:
    ///   - exported: What the export says, of this home or of another that it once was.
    ///   - caller: Who asks.
    ///   - now: The hub's time.
    ///   - person: A closure that returns the person of the home whom the export means by an ID, `nil` for nobody. By
    ///     default the export has the home's own IDs.
    /// - Throws: ``HomeError`` with the rule that forbids it, and the line of the export where there is one.
    package func decideImport(
        of exported: ExportedHome,
        by caller: Caller,
        at now: Date,
        person: (UUID) -> UUID? = { $0 }
    ) throws(HomeError) -> HomeImport {
        try checkMayEdit(caller)
        var merge = HomeMerge(of: exported, into: self, by: caller, at: now, person: person)
        try merge.run()
        let effects = changes(to: merge.result)
        return HomeImport(
            change: effects.isEmpty
                ? nil : Change(verb: .homeImported, subjects: effects.compactMap(\.subject), effects: effects),
            items: merge.items,
            unchanged: merge.unchanged
        )
    }

    /// The records of a home that are not so in this one.
    private func changes(to result: Home) -> [Effect] {
        var records: [Record] = []
        records += result.rooms.filter { rooms[id: $0.id] != $0 }.map { .room($0) }
        records += result.zones.filter { zones[id: $0.id] != $0 }.map { .zone($0) }
        records += result.accessories.filter { accessories[id: $0.id] != $0 }.map { .accessory($0) }
        records += result.serviceGroups.filter { serviceGroups[id: $0.id] != $0 }.map { .serviceGroup($0) }
        records += result.actionSetRecords.filter { actionSetRecords[id: $0.id] != $0 }.map { .actionSet($0) }
        records += result.triggers.filter { triggers[id: $0.id] != $0 }.map { .trigger($0) }
        return records.map(Effect.put)
    }
}

extension Effect {
    fileprivate var subject: UUID? {
        switch self {
        case .put(let record): record.recordID.uuid
        case .remove(let id): id.uuid
        }
    }
}
