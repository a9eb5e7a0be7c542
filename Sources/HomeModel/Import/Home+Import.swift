package import Foundation

/// The result of deciding an import into one home.
package struct HomeImport: Sendable {
    /// The change with everything that is imported; `nil` if nothing would change.
    package var change: Change?
    /// The outcome for each object.
    package var items: [ImportReport.Item]
    /// The number of objects that already match the export.
    package var unchanged: Int
    /// The exporting user's favorites, as far as the home has them.
    package var favorites: [Favorite]
}

extension Home {
    /// Decides an import of a home under the same rules as ``decide(_:by:at:)``, as one change. Nothing is changed;
    /// ``apply(_:)`` does that with the result.
    ///
    /// Objects that are in both become as the export describes them. Objects that only the home has stay. Objects that
    /// the home can't have are left out and reported: those that depend on a missing accessory, and users.
    ///
    /// - Parameters:
    ///   - exported: The export of this home or of another one.
    ///   - caller: The caller.
    ///   - now: The hub's time.
    ///   - person: A closure that returns the home's user for a user ID of the export; `nil` if there is none. By
    ///     default, the IDs are the same.
    /// - Throws: ``HomeError`` with the rule that the import breaks, and the line of the export if there is one.
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
            unchanged: merge.unchanged,
            favorites: merge.favorites
        )
    }

    /// Returns the records of another home that differ from this one.
    private func changes(to result: Home) -> [Effect] {
        var records: [Record] = []
        if let home = result.record, home != record { records.append(.home(home)) }
        records += result.rooms.filter { rooms[id: $0.id] != $0 }.map { .room($0) }
        records += result.zones.filter { zones[id: $0.id] != $0 }.map { .zone($0) }
        records += result.accessories.filter { accessories[id: $0.id] != $0 }.map { .accessory($0) }
        records += result.serviceGroups.filter { serviceGroups[id: $0.id] != $0 }.map { .serviceGroup($0) }
        records += result.actionSetRecords.filter { actionSetRecords[id: $0.id] != $0 }.map { .actionSet($0) }
        records += result.triggers.filter { triggers[id: $0.id] != $0 }.map { .trigger($0) }
        records += result.orders.filter { orders[id: $0.id] != $0 }.map { .order($0) }
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
