import Automations
import Foundation
import HomeModel
import HomeStore
import HubAPI
import Logging

/// The presence of the homes' users: who is at home, since when, and where.
///
/// A client reports it; see `hearth presence`. It is kept over restarts, and isn't part of a home's log or of an export.
actor PresenceRegistry: HubPart {
    /// The distance in meters from the home's place within which a user arrives.
    static let arrivalRadius = 150.0
    /// The distance in meters beyond which a user leaves. It is larger, so that an inaccurate position doesn't make a user
    /// come and go.
    static let departureRadius = 250.0

    private let database: HomeDatabase
    private let store: HomeStore
    private let changes: any ChangeWriter
    private let activities: ActivityStream
    private var states: [UUID: [UUID: PresenceState]] = [:]

    init(database: HomeDatabase, store: HomeStore, changes: any ChangeWriter, activities: ActivityStream) {
        self.database = database
        self.store = store
        self.changes = changes
        self.activities = activities
    }

    /// Loads the presence that was reported before the hub's start.
    func start() async throws {
        states = [:]
        for (key, value) in try await store.states(.presence) {
            guard let state = PresenceState(value) else { continue }
            states[key.home, default: [:]][key.id] = state
        }
    }

    /// Takes over the presence that was reported at the other hub.
    func follow(_ values: [StateKey: [UInt8]?]) {
        for (key, value) in values where key.kind == .presence {
            states[key.home, default: [:]][key.id] = value.flatMap { PresenceState($0) }
        }
    }

    /// Returns whether each home's users are at home, as far as it was reported.
    func present() -> [UUID: [UUID: Bool]] {
        states.mapValues { users in users.mapValues(\.isHome) }
    }

    nonisolated func register(in router: inout MethodRouter) {
        router.on(HubMethods.presence) { (parameters, session) async throws(HubError) in
            .done(try await self.list(parameters.home, for: session))
        }
        router.on(HubMethods.setPresence) { (parameters, session) async throws(HubError) in
            try await self.report(parameters, by: session)
            return .done(Empty())
        }
    }

    private func list(_ id: UUID, for session: HubSession) async throws(HubError) -> PresenceList {
        let home = try await database.home(id, for: session.user)
        let projection = session.projection
        return PresenceList(
            users: home.users.filter { !$0.isSuspended }.map { user in
                let state = states[id]?[user.id]
                return PresenceStatus(
                    user: projection.alias(of: user.id, in: id),
                    name: user.name,
                    isHome: state?.isHome,
                    since: state?.since
                )
            }
        )
    }

    private func report(_ report: SetPresence, by session: HubSession) async throws(HubError) {
        let home = try await database.home(report.home, for: session.user)
        var user = session.user
        if let alias = report.user {
            guard let person = session.projection.person(alias, in: home) else {
                throw HubError(HomeError(.notFound, "The home has no such user."))
            }
            user = person
        }
        if user != session.user { try await database.checkMayEdit(home.id, session.user) }
        let old = states[home.id]?[user]
        let isHome: Bool
        switch (report.isHome, report.place) {
        case (let given?, nil):
            isHome = given
        case (nil, let place?):
            guard place.isValid else { throw Self.invalidPlace }
            isHome = Self.isHome(at: place, home: home.place, before: old?.isHome ?? false)
        default:
            throw HubError(HomeError(.invalidParameter, "Report either whether the user is at home, or a place."))
        }
        let now = database.now()
        var state = PresenceState(isHome: isHome, since: now, place: report.place)
        if let old, old.isHome == isHome { state.since = old.since }
        do {
            try await changes.setStates([StateKey(.presence, home: home.id, id: user): state.bytes])
        } catch {
            throw HubError(storing: "The presence could not be stored", error)
        }
        states[home.id, default: [:]][user] = state
        activities.publish(
            .presence(
                PresenceActivity(
                    home: home.id,
                    user: user,
                    wasHome: old?.isHome,
                    isHome: isHome,
                    from: old?.place,
                    to: report.place,
                    time: now,
                    origin: session.origin
                )
            )
        )
    }

    /// Returns whether a user at a place counts as at home.
    static func isHome(at place: Place, home: Place?, before: Bool) -> Bool {
        guard let home else { return false }
        return place.distance(to: home) <= (before ? departureRadius : arrivalRadius)
    }

    private static let invalidPlace = HubError(
        HomeError(.invalidParameter, "A latitude is -90 to 90 degrees and a longitude -180 to 180.")
    )
}
