import Foundation
import HomeModel
import HubAPI

/// Homes that are taken over from an export.
extension HomeDatabase {
    /// What an import comes to, over all homes.
    struct Import {
        var report = ImportReport(homes: [])
        var drafts: [EntryDraft] = []
        /// What becomes of the user's list of homes.
        var list: [Change] = []
    }

    /// Decides what an import would come to. Nothing is changed.
    ///
    /// - Throws: The first broken rule.
    func importReport(_ exported: [ExportedHome], by caller: Caller) throws(HubError) -> ImportReport {
        try decideImport(exported, by: caller).report
    }

    /// Decides an import: of each home one entry, all of them and what becomes of the user's list stored together or not at
    /// all.
    ///
    /// - Returns: What becomes of everything, and the changes on their way to the disk.
    /// - Throws: The first broken rule; nothing was changed.
    func submitImport(
        _ exported: [ExportedHome],
        by caller: Caller
    ) throws(HubError) -> (report: ImportReport, commitment: Commitment) {
        var decision = try decideImport(exported, by: caller)
        if let first = decision.list.first {
            let added = decision.list.filter { $0.verb == .homeAdded }
            let list = Change(
                verb: added.first?.verb ?? first.verb,
                subjects: (added.isEmpty ? decision.list : added).flatMap(\.subjects),
                effects: decision.list.flatMap(\.effects)
            )
            decision.drafts.append(draft(list, in: .account(caller.user), by: caller, cause: .app))
        }
        guard let change = decision.drafts.first?.change else { return (decision.report, Commitment(nil)) }
        return (decision.report, enqueue(decision.drafts, change: change, by: caller))
    }

    private func decideImport(_ exported: [ExportedHome], by caller: Caller) throws(HubError) -> Import {
        var account = newest.account(of: caller.user)
        let wasEmpty = account.homes.isEmpty
        let matching = NamedMatching(
            exported.map { ($0.id, $0.name ?? "") },
            with: account.homes.filter { newest.homes[$0.id] != nil }.map { ($0.id, $0.name) }
        )
        var decision = Import()
        func follow(_ request: AccountRequest) throws(HubError) {
            let change = try rule { () throws(HomeError) in try account.decide(request) }
            guard let change else { return }
            account.apply(change)
            decision.list.append(change)
        }
        let present = account
        // A name that one home gives up another may take: names count as they are in the end.
        for home in exported {
            guard let known = matching.here[home.id], let name = home.name, present.home(known)?.name != name else {
                continue
            }
            let aside = AccountRequest.renameHome(known, name: UUID().uuidString.replacing("-", with: ""))
            if let change = try rule({ () throws(HomeError) in try account.decide(aside) }) { account.apply(change) }
        }
        for home in exported {
            let known = matching.here[home.id]
            let former = known.flatMap { present.home($0)?.name }
            guard let name = home.name ?? former else {
                throw HubError(HomeError(.exportDamaged, "The export does not say what the home \(home.id) is called."))
            }
            let id = known ?? (newest.homes[home.id] == nil ? home.id : UUID())
            let outcome: HomeImport
            if let known {
                outcome = try merged(home, into: try self.home(known, for: caller.user), name, by: caller)
                if former != name { try follow(.renameHome(id, name: name)) }
            } else {
                outcome = try created(home, as: id, name, by: caller)
                try follow(.addHome(id: id, name: name))
                if wasEmpty, home.isPrimary { try follow(.setPrimaryHome(id)) }
            }
            if let change = outcome.change {
                decision.drafts.append(draft(change, in: .home(id), by: caller, cause: .app))
            }
            decision.report.homes.append(
                ImportReport.OfHome(
                    home: id,
                    name: name,
                    isNew: known == nil,
                    formerName: former == name ? nil : former,
                    items: outcome.items,
                    unchanged: outcome.unchanged
                )
            )
        }
        return decision
    }

    /// What an import comes to in a home, with the home's name in what is refused.
    private func merged(
        _ exported: ExportedHome,
        into home: Home,
        _ name: String,
        by caller: Caller
    ) throws(HubError) -> HomeImport {
        let now = now()
        do throws(HomeError) {
            return try home.decideImport(of: exported, by: caller, at: now)
        } catch {
            throw HubError(HomeError(error.code, "“\(name)”: \(error.reason)"))
        }
    }

    /// The home made anew, with what is imported into it: one change.
    private func created(
        _ exported: ExportedHome,
        as id: UUID,
        _ name: String,
        by caller: Caller
    ) throws(HubError) -> HomeImport {
        var creation = Home.creation(
            id: id,
            defaultRoom: exported.home.defaultRoom,
            owner: record(of: caller.user)
        )
        var home = Home(id: id)
        home.apply(creation)
        var outcome = try merged(exported, into: home, name, by: caller)
        creation.effects += outcome.change?.effects ?? []
        outcome.change = creation
        return outcome
    }
}
