import Foundation
import HomeModel
import HubAPI

/// The device's own choices for the list of homes of several hubs.
struct AccountChoices: Hashable, Sendable, Codable {
    /// The lineage of the list, new on each device.
    var lineage: UUID
    /// The number of changes of the choices.
    var revision: Int
    /// The primary home; `nil` for the first hub's.
    var primary: UUID?
}

/// The list of homes of several hubs: one account for apps, with unique names and one primary home.
///
/// It follows from the hubs' accounts and the device's choices alone, so that each session finds the same. Its revision
/// grows by one with each of their entries.
struct MergedAccount: Sendable {
    /// A hub's account.
    struct Part: Sendable {
        var hub: UUID
        var account: Account
        var cursor: LogCursor
    }

    /// The hubs' accounts, in the order in which the hubs were joined.
    var parts: [Part]
    /// The device's choices.
    var choices: AccountChoices

    /// The position in the list's log.
    var cursor: LogCursor {
        let lineage = parts.reduce(choices.lineage) { UUID(nameSpace: $0, name: $1.cursor.lineage.uuidString) }
        return LogCursor(lineage: lineage, revision: parts.reduce(choices.revision) { $0 + $1.cursor.revision })
    }

    /// The records: names that a home of an earlier hub has are numbered, as when a person joins a home.
    var records: [Record] {
        var homes: [AccountHomeRecord] = []
        var names: Set<FoldedName> = []
        for home in parts.flatMap(\.account.homes) {
            var home = home
            let name = home.name
            var number = 2
            while !names.insert(FoldedName(home.name)).inserted {
                home.name = NameRule.numbered(name, number)
                number += 1
            }
            homes.append(home)
        }
        let first = parts.lazy.compactMap(\.account.primaryHome).first?.id
        let primary = choices.primary.flatMap { id in homes.contains { $0.id == id } ? id : nil } ?? first
        for index in homes.indices {
            homes[index].isPrimary = homes[index].id == primary
            homes[index].order = index
        }
        let others = parts.flatMap(\.account.records).filter { record in
            if case .accountHome = record { false } else { true }
        }
        var seen: Set<RecordID> = []
        return homes.map { .accountHome($0) } + others.filter { seen.insert($0.recordID).inserted }
    }

    /// Returns the effects that lead from earlier records to these.
    func effects(from earlier: [Record]) -> [Effect] {
        let records = records
        let before = Dictionary(earlier.map { ($0.recordID, $0) }) { first, _ in first }
        let now = Set(records.map(\.recordID))
        return records.filter { before[$0.recordID] != $0 }.map(Effect.put)
            + earlier.map(\.recordID).filter { !now.contains($0) }.map(Effect.remove)
    }
}
