import Foundation
import HomeModel
import HubAPI

/// The outcome of an import, over all homes of an export.
///
/// It is computed outside the database, on a state that the database provided, and is valid as long as that state is
/// current.
struct ImportDecision: Sendable {
    /// The state that a decision is based on.
    struct Ground: Sendable {
        /// The homes and accounts.
        var state: HomeDatabase.State
        /// The number of times that the database reverted to its state on disk, after which revisions are reused.
        var rollbackCount: Int
        /// The user's record in a new home of theirs.
        var person: UserRecord
        /// The hub's time.
        var now: Date
    }

    /// The outcome for each object.
    private(set) var report = ImportReport(homes: [])
    /// The changes to store, the user's list of homes last: all of them together, or none.
    private(set) var changes: [(log: LogID, change: Change)] = []
    /// The revisions of the logs that the decision depends on; `nil` for a log that didn't exist.
    private(set) var revisions: [LogID: Int?] = [:]
    /// The number of reverts that the revisions depend on.
    let rollbackCount: Int

    private let ground: Ground
    private let caller: Caller
    private let projection: Projection

    /// Decides an import.
    ///
    /// - Parameter projection: The projection that maps the export's user IDs to users here.
    ///
    /// - Throws: The violated rule. If names are taken, the error lists those of all homes.
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
        recordRevision(of: .account(caller.user))
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
        let current = account
        // Homes may exchange names, so existing names are moved out of the way first: only the final names must be
        // unique.
        for home in exported {
            guard let existing = matching.here[home.id], let name = home.name, current.home(existing)?.name != name
            else {
                continue
            }
            let temporaryRename = AccountRequest.renameHome(existing, name: UUID().uuidString.replacing("-", with: ""))
            if let change = (try? account.decide(temporaryRename)) ?? nil { account.apply(change) }
        }
        var conflicts: [String] = []
        for home in exported {
            let existing = matching.here[home.id]
            let previous = existing.flatMap { current.home($0)?.name }
            guard let name = home.name ?? previous else {
                throw HubError(HomeError(.exportDamaged, "The export has no name for the home \(home.id)."))
            }
            recordRevision(of: .home(home.id))
            let id = existing ?? (state.homes[home.id] == nil ? home.id : UUID())
            recordRevision(of: .home(id))
            let outcome: HomeImport
            do throws(HomeError) {
                if let existing {
                    outcome = try merged(home, into: try Self.home(existing, in: state, for: caller.user, name), name)
                } else {
                    outcome = try created(home, as: id, name)
                }
            } catch {
                guard error.code == .nameTaken else { throw HubError(error) }
                conflicts.append(error.reason)
                continue
            }
            if existing != nil {
                if previous != name { try follow(.renameHome(id, name: name)) }
            } else {
                try follow(.addHome(id: id, name: name))
                if wasEmpty, home.isPrimary { try follow(.setPrimaryHome(id)) }
            }
            let known = account.favorites(in: id)
            let favorites = outcome.favorites.filter { !known.contains($0) }
            let room = HomeLimits.favoritesPerHome - known.count
            try follow(.addFavorites(Array(favorites.prefix(room)), in: id, before: nil))
            if let change = outcome.change { changes.append((.home(id), change)) }
            report.homes.append(
                ImportReport.HomeResult(
                    home: id,
                    name: name,
                    isNew: existing == nil,
                    formerName: previous == name ? nil : previous,
                    items: outcome.items,
                    unchanged: outcome.unchanged
                )
            )
        }
        guard conflicts.isEmpty else {
            throw HubError(HomeError(.nameTaken, conflicts.joined(separator: "\n")))
        }
        guard let first = list.first else { return }
        // Readers act on homes that were added or renamed. The effects alone tell the rest.
        let verb = [.homeAdded, .homeRenamed].first { verb in list.contains { $0.verb == verb } } ?? first.verb
        let change = Change(
            verb: verb,
            subjects: list.filter { $0.verb == verb }.flatMap(\.subjects),
            effects: list.flatMap(\.effects)
        )
        changes.append((.account(caller.user), change))
    }

    private mutating func recordRevision(of log: LogID) {
        revisions[log] = .some(ground.state.revisions[log])
    }

    private static func home(
        _ id: UUID,
        in state: HomeDatabase.State,
        for user: UUID,
        _ name: String
    ) throws(HomeError) -> Home {
        guard let home = state.homes[id], home.activeRole(of: user) != nil else {
            throw HomeError(.notFound, "“\(name)” is not one of your homes. Import only your own homes, by name.")
        }
        return home
    }

    /// Returns the outcome of an import into a home. Errors name the home.
    private func merged(_ exported: ExportedHome, into home: Home, _ name: String) throws(HomeError) -> HomeImport {
        do throws(HomeError) {
            let people = projection.people(of: home, asIn: exported.id)
            return try home.decideImport(of: exported, by: caller, at: ground.now) { people[$0] }
        } catch {
            throw HomeError(error.code, "“\(name)”: \(error.reason)")
        }
    }

    /// Returns a new home with the imported content: one change.
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

/// Parses exports and decides imports, one at a time, so that concurrent imports occupy only one of the hub's threads
/// and the database stays responsive.
actor ImportDecider {
    /// Parses an export. Stops early if the task is canceled.
    func homes(in text: Data) throws(HomeError) -> [ExportedHome] { try HomeExport.homes(in: text) }

    /// Returns the outcome of an import.
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
