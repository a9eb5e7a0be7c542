import Foundation
import HomeModel
import HubAPI

/// What an import comes to, over all homes of an export. It is worked out beside the database, on a state that it was asked
/// for, and stands while that state does.
struct ImportDecision: Sendable {
    /// What it is worked out on.
    struct Ground: Sendable {
        /// The homes and lists.
        var state: HomeDatabase.State
        /// How often the database went back to what is on disk: revisions are counted anew then.
        var rollbackCount: Int
        /// The user as a new home of theirs knows them.
        var person: UserRecord
        /// The hub's time.
        var now: Date
    }

    /// What becomes of everything.
    private(set) var report = ImportReport(homes: [])
    /// What is to be stored, the user's list of homes last: all of it together, or nothing.
    private(set) var changes: [(log: LogID, change: Change)] = []
    /// The logs on which it rests, and their revisions; nil for one that was not there.
    private(set) var revisions: [LogID: Int?] = [:]
    /// Goes with the revisions.
    let rollbackCount: Int

    private let ground: Ground
    private let caller: Caller
    private let projection: Projection

    /// Decides.
    ///
    /// - Parameter projection: By what the export's IDs of people are those of people here.
    /// - Throws: The broken rule. Names that are taken are told of all homes.
    init(
        _ exported: [ExportedHome],
        on ground: Ground,
        by caller: Caller,
        _ projection: Projection
    ) throws(HubError) {
        self.ground = ground
        self.caller = caller
        self.projection = projection
        rollbackCount = ground.rollbackCount
        let state = ground.state
        var account = state.account(of: caller.user)
        let wasEmpty = account.homes.isEmpty
        let matching = NamedMatching(
            exported.map { ($0.id, $0.name ?? "") },
            with: account.homes.filter { state.homes[$0.id] != nil }.map { ($0.id, $0.name) }
        )
        note(.account(caller.user))
        var list: [Change] = []
        func follow(_ request: AccountRequest) throws(HubError) {
            let change: Change?
            do throws(HomeError) {
                change = try account.decide(request)
            } catch {
                throw HubError(error)
            }
            guard let change else { return }
            account.apply(change)
            list.append(change)
        }
        let present = account
        // A name that one home gives up another may take: names count as they are in the end.
        for home in exported {
            guard let known = matching.here[home.id], let name = home.name, present.home(known)?.name != name else {
                continue
            }
            let aside = AccountRequest.renameHome(known, name: UUID().uuidString.replacing("-", with: ""))
            if let change = (try? account.decide(aside)) ?? nil { account.apply(change) }
        }
        var conflicts: [String] = []
        for home in exported {
            let known = matching.here[home.id]
            let former = known.flatMap { present.home($0)?.name }
            guard let name = home.name ?? former else {
                throw HubError(HomeError(.exportDamaged, "The export does not say what the home \(home.id) is called."))
            }
            note(.home(home.id))
            let id = known ?? (state.homes[home.id] == nil ? home.id : UUID())
            note(.home(id))
            let outcome: HomeImport
            do throws(HomeError) {
                if let known {
                    outcome = try merged(home, into: try Self.home(known, in: state, for: caller.user, name), name)
                } else {
                    outcome = try created(home, as: id, name)
                }
            } catch {
                guard error.code == .nameTaken else { throw HubError(error) }
                conflicts.append(error.reason)
                continue
            }
            if known != nil {
                if former != name { try follow(.renameHome(id, name: name)) }
            } else {
                try follow(.addHome(id: id, name: name))
                if wasEmpty, home.isPrimary { try follow(.setPrimaryHome(id)) }
            }
            if let change = outcome.change { changes.append((.home(id), change)) }
            report.homes.append(
                ImportReport.HomeResult(
                    home: id,
                    name: name,
                    isNew: known == nil,
                    formerName: former == name ? nil : former,
                    items: outcome.items,
                    unchanged: outcome.unchanged
                )
            )
        }
        guard conflicts.isEmpty else {
            throw HubError(HomeError(.nameTaken, conflicts.joined(separator: "\n")))
        }
        guard let first = list.first else { return }
        let added = list.filter { $0.verb == .homeAdded }
        let change = Change(
            verb: added.first?.verb ?? first.verb,
            subjects: (added.isEmpty ? list : added).flatMap(\.subjects),
            effects: list.flatMap(\.effects)
        )
        changes.append((.account(caller.user), change))
    }

    private mutating func note(_ log: LogID) {
        revisions[log] = .some(ground.state.revisions[log])
    }

    private static func home(
        _ id: UUID,
        in state: HomeDatabase.State,
        for user: UUID,
        _ name: String
    ) throws(HomeError) -> Home {
        guard let home = state.homes[id], home.presentRole(of: user) != nil else {
            throw HomeError(.notFound, "“\(name)” is not one of your homes. Import those that are by their names.")
        }
        return home
    }

    /// What an import comes to in a home, with the home's name in what is refused.
    private func merged(_ exported: ExportedHome, into home: Home, _ name: String) throws(HomeError) -> HomeImport {
        do throws(HomeError) {
            let people = projection.people(of: home, asIn: exported.id)
            return try home.decideImport(of: exported, by: caller, at: ground.now) { people[$0] }
        } catch {
            throw HomeError(error.code, "“\(name)”: \(error.reason)")
        }
    }

    /// The home made anew, with what is imported into it: one change.
    private func created(_ exported: ExportedHome, as id: UUID, _ name: String) throws(HomeError) -> HomeImport {
        var creation = Home.creation(id: id, defaultRoom: exported.home.defaultRoom, owner: ground.person)
        var home = Home(id: id)
        home.apply(creation)
        var outcome = try merged(exported, into: home, name)
        creation.effects += outcome.change?.effects ?? []
        outcome.change = creation
        return outcome
    }
}

/// Reads exports and decides imports, one at a time: however many come at once, only one of the hub's threads has to do
/// with them, and the database goes on meanwhile.
actor ImportDecider {
    /// Reads an export; ends early if the task is cancelled.
    func homes(in text: Data) throws(HomeError) -> [ExportedHome] { try HomeExport.homes(in: text) }

    /// Works out what an import comes to.
    func decide(
        _ exported: [ExportedHome],
        on ground: ImportDecision.Ground,
        by caller: Caller,
        _ projection: Projection
    ) throws(HubError) -> ImportDecision {
        guard !Task.isCancelled else { throw ImportManager.hasStopped }
        return try ImportDecision(exported, on: ground, by: caller, projection)
    }
}
