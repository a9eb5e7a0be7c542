import Foundation
import HomeModel
import HomeStore
import HubAPI
import Logging

/// Keeps the open invitations, with which users of a home sign in on devices of their own.
///
/// A device that signs in acts as its user in all homes of that user. So only somebody who owns all of these may invite,
/// when the invitation is created and still when it is used. The hub keeps only a digest of the code.
actor InvitationManager: HubPart {
    private let store: HomeStore
    private let database: HomeDatabase
    private let activities: ActivityStream
    private let owner: UUID
    private let now: @Sendable () -> Date
    private let log: Logger
    private var invitations: [UUID: StoredInvitation] = [:]
    private var addresses: [String] = []
    private var fingerprint: String?

    init(
        store: HomeStore,
        database: HomeDatabase,
        activities: ActivityStream,
        owner: UUID,
        now: @escaping @Sendable () -> Date,
        log: Logger
    ) {
        self.store = store
        self.database = database
        self.activities = activities
        self.owner = owner
        self.now = now
        self.log = log
    }

    /// Loads the open invitations.
    func start() async throws {
        for key in try await store.secrets(.invitation, of: nil) {
            guard let bytes = try await store.secret(key) else { continue }
            let invitation = try JSONDecoder().decode(StoredInvitation.self, from: Data(bytes))
            invitations[invitation.id] = invitation
        }
    }

    /// Registers the methods.
    nonisolated func register(in router: inout MethodRouter) {
        router.on(HubMethods.createInvitation) { (parameters, session) async throws(HubError) in
            .done(try await self.create(parameters, for: session))
        }
        router.on(HubMethods.invitations) { (parameters, session) async throws(HubError) in
            .done(try await self.list(parameters, for: session))
        }
        router.on(HubMethods.removeInvitation) { (parameters, session) async throws(HubError) in
            try await self.remove(parameters, for: session)
            return .done(Empty())
        }
    }

    /// Sets the addresses at which the hub serves HTTP.
    func setAddresses(_ addresses: [String], fingerprint: String?) {
        self.addresses = addresses
        self.fingerprint = fingerprint
    }

    // MARK: Requests

    private func create(
        _ parameters: CreateInvitation,
        for session: HubSession
    ) async throws(HubError) -> CreatedInvitation {
        guard !addresses.isEmpty else {
            throw HubError(.notAllowedNow, "This hub doesn't serve HTTP. Start it with --http.")
        }
        let user = try await database.person(parameters.user, of: session)
        guard user != session.user else {
            throw HubError(
                HomeError(.invalidParameter, "You can't invite yourself. Add a device instead: hearth login")
            )
        }
        guard await mayInvite(user, by: session.user) else {
            let reason = "Only the owner can invite a user, and only if they own all of the user's homes."
            throw HubError(HomeError(.insufficientPrivileges, reason))
        }
        await removeExpired()
        guard invitations.values.count(where: { $0.inviter == session.user }) < DeviceLimits.invitationsPerUser else {
            let limit = "You can have at most \(DeviceLimits.invitationsPerUser) open invitations."
            throw HubError(
                HomeError(.limitExceeded, "\(limit) Remove one first.", limit: DeviceLimits.invitationsPerUser)
            )
        }
        let code = SecretText.code(length: SecretText.invitationLength)
        let created = now()
        let invitation = StoredInvitation(
            id: UUID(),
            digest: SecretText.digest(code),
            home: parameters.user.home,
            user: user,
            inviter: session.user,
            created: created,
            expires: created + TimeInterval(DeviceLimits.invitationLifetime / .seconds(1))
        )
        // Two requests at once may exceed the limit if it isn't counted before the first suspension.
        invitations[invitation.id] = invitation
        do {
            let bytes = Array(try JSONEncoder().encode(invitation))
            try await store.setSecret(bytes, for: Self.key(invitation.id))
        } catch {
            invitations[invitation.id] = nil
            throw HubError(.storeFailure, "The invitation could not be stored: \(error)")
        }
        activities.publish(.invitation(InvitationActivity(invitation, isUsed: false, at: created, by: session.origin)))
        return CreatedInvitation(
            invitation: Self.description(invitation, as: parameters.user.id),
            links: LoginLink.links(to: addresses, code: code),
            fingerprint: fingerprint
        )
    }

    private func list(_ parameters: HomeTarget, for session: HubSession) async throws(HubError) -> Invitations {
        let home = try await database.home(parameters.home, for: session.user)
        guard home.activeRole(of: session.user) == .owner else {
            throw HubError(HomeError(.insufficientPrivileges, "Only the owner can see invitations."))
        }
        await removeExpired()
        let open = invitations.values.filter { $0.home == parameters.home }.sorted { $0.created < $1.created }
        let members = open.filter { home.users[id: $0.user] != nil }
        return Invitations(
            invitations: members.map {
                Self.description($0, as: session.projection.alias(of: $0.user, in: home.id))
            }
        )
    }

    private func remove(_ parameters: InvitationTarget, for session: HubSession) async throws(HubError) {
        guard let invitation = invitations[parameters.id],
            await database.home(invitation.home)?.activeRole(of: session.user) == .owner
        else { throw HubError(HomeError(.notFound, "There is no such open invitation.")) }
        try await end(invitation)
    }

    // MARK: Signing in

    /// Ends an invitation and returns the user whom it signs in; `nil` if there is none with the code.
    ///
    /// - Parameter digest: The digest of the code.
    func redeem(_ digest: [UInt8]) async throws(HubError) -> UUID? {
        // The codes' digests are compared, so the time of the comparison says nothing about a code.
        guard let invitation = invitations.values.first(where: { $0.digest == digest }), invitation.expires > now(),
            await mayInvite(invitation.user, by: invitation.inviter),
            // Another device may have used it in the meantime.
            invitations[invitation.id] != nil
        else { return nil }
        // It ends before the device is signed in, so that it works only once even if the hub is interrupted.
        try await end(invitation)
        activities.publish(
            .invitation(InvitationActivity(invitation, isUsed: true, at: now(), by: Origin(cause: .hub, caller: nil)))
        )
        return invitation.user
    }

    private func mayInvite(_ user: UUID, by inviter: UUID) async -> Bool {
        guard user != owner else { return false }
        let homes = await database.homes.filter { $0.users[id: user] != nil }
        return !homes.isEmpty
            && homes.allSatisfy { $0.activeRole(of: inviter) == .owner && $0.activeRole(of: user) != nil }
    }

    // MARK: Store

    private func removeExpired() async {
        let time = now()
        for invitation in invitations.values where invitation.expires <= time {
            do throws(HubError) {
                try await end(invitation)
            } catch {
                log.warning("An expired invitation could not be removed.", metadata: [LogKey.error: "\(error)"])
            }
        }
    }

    private func end(_ invitation: StoredInvitation) async throws(HubError) {
        invitations[invitation.id] = nil
        do {
            try await store.removeSecret(Self.key(invitation.id))
        } catch {
            invitations[invitation.id] = invitation
            throw HubError(.storeFailure, "The invitation could not be removed: \(error)")
        }
    }

    private static func key(_ id: UUID) -> SecretKey { SecretKey(kind: .invitation, log: nil, name: id.uuidString) }

    private static func description(_ invitation: StoredInvitation, as user: UUID) -> Invitation {
        Invitation(
            id: invitation.id,
            home: invitation.home,
            user: user,
            created: invitation.created,
            expires: invitation.expires
        )
    }
}
