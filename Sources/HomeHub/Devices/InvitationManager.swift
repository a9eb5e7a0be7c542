import Foundation
import HAP
import HomeIdentity
import HomeModel
import HomeStore
import HubAPI
import Logging

/// Keeps the open invitations, with which users sign in on browsers and join with devices of their own.
///
/// A device acts as its user in all homes of that user. So only somebody who can edit all of these may invite, when the
/// invitation is created and still when it is used. The hub keeps only digests and verifiers of the secrets.
actor InvitationManager: HubPart {
    let store: HomeStore
    private let changes: any ChangeWriter
    let database: HomeDatabase
    let activities: ActivityStream
    let questions: QuestionManager
    let table: DeviceTable
    let doors: DoorTable
    let identity: IdentityKey
    let hubs: HubTable
    let owner: HubOwner
    let now: @Sendable () -> Date
    /// The time that has passed, however the system's clock is set.
    private let uptime: @Sendable () -> Duration
    let log: Logger
    private(set) var invitations: [UUID: StoredInvitation] = [:]
    /// The uptimes at which invitations end. A clock that is set back must not make them last for years.
    private var deadlines: [UUID: Duration] = [:]
    /// What removes invitations once they have expired, so that the hub doesn't listen for nobody.
    private var timers: [UUID: Task<Void, Never>] = [:]
    /// The invitations with which a device is being added.
    var beingUsed: Set<UUID> = []
    /// The questions about devices that wait, by invitation.
    var asked: [UUID: UUID] = [:]
    private var addresses: [String] = []
    private var fingerprint: String?
    /// Where the hub listens for devices; empty while it doesn't.
    private var networkAddresses: [HubAddress] = []
    /// What waits until the hub listens.
    private var waiting: [UUID: CheckedContinuation<Void, Never>] = [:]

    init(
        store: HomeStore,
        changes: any ChangeWriter,
        database: HomeDatabase,
        activities: ActivityStream,
        questions: QuestionManager,
        table: DeviceTable,
        doors: DoorTable,
        identity: IdentityKey,
        hubs: HubTable,
        owner: HubOwner,
        now: @escaping @Sendable () -> Date,
        clock: any Clock<Duration>,
        log: Logger
    ) {
        self.store = store
        self.changes = changes
        self.database = database
        self.activities = activities
        self.questions = questions
        self.table = table
        self.doors = doors
        self.identity = identity
        self.hubs = hubs
        self.owner = owner
        self.now = now
        uptime = DeviceManager.stopwatch(clock)
        self.log = log
    }

    /// Loads the open invitations.
    func start() async throws {
        let used = await database.usedInvitations
        for key in try await store.secrets(.invitation, of: nil) {
            guard let bytes = try await store.secret(key) else { continue }
            let invitation = try JSONDecoder().decode(StoredInvitation.self, from: Data(bytes))
            // The device's record, or the list of hubs, ended the invitation, and the hub stopped before it removed the secret.
            guard !used.contains(invitation.id), !isOfHub(invitation) else {
                let isNeeded = await reopenDoor(of: invitation)
                // One of two hubs changes nothing before one leads.
                if !isNeeded, !hubs.isPaired { try await changes.setSecrets([key: nil]) }
                continue
            }
            invitations[invitation.id] = invitation
            limitTime(of: invitation)
            openDoor(of: invitation)
        }
        if !hubs.isPaired { await removeExpired() }
        updateTable()
        for invitation in invitations.values where invitation.pending != nil { await ask(about: invitation) }
        await askAboutRestoredDevices()
    }

    /// Registers the methods.
    nonisolated func register(in router: inout MethodRouter) {
        router.on(HubMethods.createInvitation) { (parameters, session) async throws(HubError) in
            .done(try await self.create(parameters, for: session))
        }
        router.on(HubMethods.addDevice) { (parameters, session) async throws(HubError) in
            .done(try await self.addDevice(parameters, for: session))
        }
        router.on(HubMethods.invitations) { (parameters, session) async throws(HubError) in
            .done(try await self.list(parameters, for: session))
        }
        router.on(HubMethods.removeInvitation) { (parameters, session) async throws(HubError) in
            try await self.remove(parameters, for: session)
            return .done(Empty())
        }
    }

    /// Ends the waiting for invitations that expire.
    func stop() {
        for timer in timers.values { timer.cancel() }
        timers = [:]
    }

    /// Sets the addresses at which the hub serves HTTP.
    func setAddresses(_ addresses: [String], fingerprint: String?) {
        self.addresses = addresses
        self.fingerprint = fingerprint
    }

    /// Sets the addresses at which the hub listens for devices; empty if it no longer does.
    func setNetworkAddresses(_ addresses: [HubAddress]) {
        networkAddresses = addresses
        guard !addresses.isEmpty else { return }
        for continuation in waiting.values { continuation.resume() }
        waiting = [:]
    }

    /// Returns whether devices can join with an invitation, over the network now or as soon as there is one, or by a link
    /// through the relay.
    private func serves(_ kind: InvitationKind) -> Bool {
        table.isFollowed || !networkAddresses.isEmpty || kind == .link && doors.hasRelay
    }

    /// Waits until the hub listens, which begins with the first invitation.
    private func waitForAddresses() async {
        guard table.isFollowed, networkAddresses.isEmpty else { return }
        let id = UUID()
        let timeout = Task {
            try? await Task.sleep(for: Self.listeningTime)
            stopWaiting(id)
        }
        await withCheckedContinuation { waiting[id] = $0 }
        timeout.cancel()
    }

    private func stopWaiting(_ id: UUID) { waiting.removeValue(forKey: id)?.resume() }

    /// How long a request waits for the hub to listen.
    private static let listeningTime = Duration.seconds(5)

    /// The door that this hub opens for an invitation: none if the link leads to the other hub alone, because a device expects
    /// that one's key then.
    private func door(of invitation: StoredInvitation) -> StoredDoor? {
        invitation.hubs?.contains(owner.device) ?? true ? invitation.door : nil
    }

    /// Opens the door of a stored invitation.
    private func openDoor(of invitation: StoredInvitation) {
        guard let door = door(of: invitation) else { return }
        doors.open(door, of: invitation.id, until: invitation.expires)
    }

    /// Leaves the door of a used invitation open if the device that was let in still needs it. Returns whether it does.
    private func reopenDoor(of invitation: StoredInvitation) async -> Bool {
        guard let door = door(of: invitation), invitation.expires > now() else { return false }
        let devices = await database.devices(of: invitation.user)
        // With a key for the relay, a device has a way of its own.
        guard let device = devices.first(where: { $0.invitation == invitation.id }), device.relayKey == nil,
            let key = device.publicKey
        else { return false }
        doors.open(door, of: invitation.id, until: invitation.expires, for: key)
        return true
    }

    /// Closes the doors through which a device came to join, because it has come another way.
    func closeDoors(for device: PublicKey) async {
        for invitation in doors.close(for: device) where invitations[invitation] == nil {
            try? await changes.setSecrets([Self.key(invitation): nil])
        }
    }

    // MARK: Requests

    private func create(
        _ parameters: CreateInvitation,
        for session: HubSession
    ) async throws(HubError) -> CreatedInvitation {
        let kind = try Self.checked(parameters.kind ?? .link)
        guard !addresses.isEmpty || serves(kind) else {
            throw HubError(
                .notAllowedNow,
                "This hub serves neither HTTP nor devices. Start it with --http or --network."
            )
        }
        let user = try await database.person(parameters.user, of: session)
        guard user != session.user else {
            throw HubError(
                HomeError(.invalidParameter, "You can't invite yourself. Add a device instead: hearth device add")
            )
        }
        guard await mayInvite(user, by: session.user) else {
            let reason =
                "Only who can edit all of a user's homes can invite the user, and administrators only the owner."
            throw HubError(HomeError(.insufficientPrivileges, reason))
        }
        let new = try await add(kind, for: user, in: parameters.user.home, name: nil, by: session)
        let invitation = new.invitation
        let shared = shared(new)
        return CreatedInvitation(
            invitation: Self.description(invitation, in: parameters.user.home, as: parameters.user.id),
            links: shared.pages,
            joinLink: shared.link,
            code: shared.code,
            fingerprint: fingerprint
        )
    }

    private func addDevice(_ parameters: AddDevice, for session: HubSession) async throws(HubError) -> DeviceInvitation
    {
        let kind = try Self.checked(parameters.kind)
        guard serves(kind) else {
            throw HubError(.notAllowedNow, "This hub doesn't listen for devices. Start it without --network off.")
        }
        guard await database.hasRoom(forDeviceOf: session.user) else {
            throw Self.tooManyDevices(of: session.user, owner)
        }
        let name = parameters.name.map(Account.deviceName)
        let new = try await add(kind, for: session.user, in: nil, name: name, by: session)
        let (invitation, shared) = (new.invitation, shared(new))
        return DeviceInvitation(id: invitation.id, code: shared.code, link: shared.link, expires: invitation.expires)
    }

    private static func checked(_ kind: InvitationKind) throws(HubError) -> InvitationKind {
        guard kind == .code || kind == .link else {
            throw HubError(HomeError(.invalidParameter, "An invitation is a code or a link."))
        }
        return kind
    }

    private func list(_ parameters: HomeTarget, for session: HubSession) async throws(HubError) -> Invitations {
        let home = try await database.home(parameters.home, for: session.user)
        await removeExpired()
        let open = invitations.values.filter { invitation in
            // Those of a device of the user's own are of no home.
            invitation.home == parameters.home || invitation.home == nil && invitation.user == session.user
        }.sorted { $0.created < $1.created }
        var listed: [Invitation] = []
        for invitation in open where home.users[id: invitation.user] != nil {
            guard await mayInvite(invitation.user, by: session.user) else { continue }
            let alias = session.projection.alias(of: invitation.user, in: home.id)
            listed.append(Self.description(invitation, in: home.id, as: alias))
        }
        return Invitations(invitations: listed)
    }

    private func remove(_ parameters: InvitationTarget, for session: HubSession) async throws(HubError) {
        let user = session.user
        guard let invitation = invitations[parameters.id],
            invitation.inviter == user || invitation.user != user,
            await mayInvite(invitation.user, by: user)
        else {
            throw HubError(HomeError(.notFound, "There is no such open invitation."))
        }
        try await end(invitation)
    }

    /// Creates an invitation for another hub, which keeps the homes together with this one.
    ///
    /// - Throws: ``HubAPI/HubError``, with `tooManyHubs` if there are two, or `notAllowedNow` if this hub doesn't listen.
    func inviteHub(by session: HubSession) async throws(HubError) -> DeviceInvitation {
        guard serves(.link) else {
            throw HubError(.notAllowedNow, "This hub doesn't listen on the network. Start it without --network off.")
        }
        guard !hubs.isPaired else { throw Self.tooManyHubs }
        let new = try await add(.link, for: owner.user, in: nil, name: nil, by: session, isForHub: true)
        let shared = shared(new)
        return DeviceInvitation(id: new.invitation.id, link: shared.link, expires: new.invitation.expires)
    }

    /// The error for a third hub.
    static let tooManyHubs = HubError(
        HubError.Code(rawValue: HubListError.Code.tooManyHubs.rawValue),
        "Two hubs keep these homes already, as many as possible."
    )

    /// Creates an invitation for a user who has just been added, and shows it to the user who invites.
    func offerLink(to user: UUID, in home: UUID, by session: HubSession) async {
        guard !addresses.isEmpty || serves(.link), await mayInvite(user, by: session.user),
            let record = await database.home(home)?.users[id: user], record.isInvited
        else { return }
        do throws(HubError) {
            let new = try await add(.link, for: user, in: home, name: nil, by: session)
            let (invitation, shared) = (new.invitation, shared(new))
            let draft = QuestionDraft(
                kind: .invitationLink,
                text: "Send this link to \(record.name). It works once, for a week.",
                audience: .person(session.user),
                fields: [QuestionField("answer", suggestion: "ok", choices: [QuestionField.Choice("ok", "OK")])],
                link: shared.link,
                pageLinks: shared.pages
            )
            _ = await questions.post(draft, from: session.caller.app, until: invitation.expires) { _ in }
        } catch {
            log.warning("A user couldn't be invited.", metadata: [LogKey.error: "\(error)"])
        }
    }

    // MARK: Secrets

    /// An invitation that was just created, with what only its link has.
    private struct New {
        var invitation: StoredInvitation
        var secret: InvitationSecret
        var door: RelayDoor?
    }

    private func add(
        _ kind: InvitationKind,
        for user: UUID,
        in home: UUID?,
        name: String?,
        by session: HubSession,
        isForHub: Bool = false
    ) async throws(HubError) -> New {
        await removeExpired()
        let secret = kind == .code ? InvitationSecret.randomCode() : .randomLink()
        let created = now()
        var invitation = StoredInvitation(
            id: UUID(),
            digest: kind == .code || home == nil ? [] : SecretText.digest(secret.text),
            home: home,
            user: user,
            inviter: session.user,
            created: created,
            expires: created + TimeInterval(Self.lifetime(of: kind) / .seconds(1)),
            kind: kind,
            device: session.authority.device,
            name: name,
            verifier: JoinVerifier(secret),
            isForHub: isForHub ? true : nil
        )
        try checkRoom(for: invitation)
        // A code is for a device next to a person.
        let door = kind == .link && !isForHub ? doors.make(for: invitation.id, until: invitation.expires) : nil
        invitation.door = door.map { StoredDoor(relay: $0.relay, house: $0.house, key: $0.key.publicKey) }
        invitation.hubs = [owner.device] + hubs.others.map(\.id)
        // Two requests at once may exceed the limit if it isn't counted before the first suspension.
        invitations[invitation.id] = invitation
        limitTime(of: invitation)
        if kind == .code {
            for other in invitations.values where other.kind == .code && other.id != invitation.id {
                try await end(other)
            }
        }
        do throws(HubError) {
            try await save(invitation)
        } catch {
            invitations[invitation.id] = nil
            forgetTime(of: invitation)
            doors.close(invitation.id)
            throw error
        }
        updateTable()
        await waitForAddresses()
        if let home {
            activities.publish(
                .device(
                    DeviceActivity(home: home, user: user, event: .invited, time: created, origin: session.origin)
                )
            )
        }
        return New(invitation: invitation, secret: secret, door: door)
    }

    private func checkRoom(for invitation: StoredInvitation) throws(HubError) {
        if invitation.kind == .code {
            // A new code replaces the inviter's own.
            let other = invitations.values.first { $0.kind == .code && $0.inviter != invitation.inviter }
            guard other == nil else {
                throw HubError(.notAllowedNow, "Somebody else has a code open. Wait some minutes, or make a link.")
            }
            return
        }
        let others = invitations.values.count { other in
            guard other.kind != .code else { return false }
            return invitation.home == nil
                ? other.home == nil && other.user == invitation.user : other.home == invitation.home
        }
        let limit = DeviceLimits.invitationsPerHome
        guard others < limit else {
            let reason = "There can be at most \(limit) open links. Remove one first."
            throw HubError(HomeError(.limitExceeded, reason, limit: limit))
        }
    }

    /// Returns an invitation's secret in the forms that people pass on.
    private func shared(_ new: New) -> (code: String?, link: LoginLink?, pages: [LoginLink]) {
        switch new.secret {
        case .code(let code): return (code.dashed, nil, [])
        case .link(let secret):
            let pages = new.invitation.digest.isEmpty ? [] : LoginLink.links(to: addresses, code: secret.text)
            guard !networkAddresses.isEmpty || new.door != nil else { return (nil, nil, pages) }
            let link = InvitationLink(
                invitation: InvitationID(new.invitation.id),
                secret: secret,
                hub: identity.publicKey,
                addresses: networkAddresses,
                other: hubs.others.first.map { ($0.key, hubs.otherAddresses) },
                door: new.door
            )
            return (nil, LoginLink(text: link.text), pages)
        }
    }

    // MARK: Browsers

    /// Ends an invitation and returns the user whom it signs in; `nil` if there is none with the code.
    ///
    /// - Parameter digest: The digest of the code.
    func redeem(_ digest: [UInt8]) async throws(HubError) -> UUID? {
        // The codes' digests are compared, so the time of the comparison says nothing about a code.
        guard let invitation = invitations.values.first(where: { $0.digest == digest }), isOpen(invitation),
            invitation.pending == nil, !beingUsed.contains(invitation.id),
            await mayInvite(invitation.user, by: invitation.inviter),
            // Another device may have used it in the meantime.
            invitations[invitation.id] != nil
        else { return nil }
        // It ends before the device is signed in, so that it works only once even if the hub is interrupted.
        try await end(invitation)
        await publish(.signedIn, of: invitation.user, in: invitation.home)
        return invitation.user
    }

    /// Tells the journal of a user's device.
    ///
    /// - Parameters:
    ///   - home: The home of the invitation; `nil` for all homes of the user.
    ///   - origin: Who requested it; `nil` for the hub.
    func publish(_ event: DeviceActivity.Event, of user: UUID, in home: UUID?, by origin: Origin? = nil) async {
        let homes = await database.homes.filter { $0.users[id: user] != nil }.map(\.id)
        for home in home.map({ [$0] }) ?? homes {
            activities.publish(
                .device(
                    DeviceActivity(
                        home: home,
                        user: user,
                        event: event,
                        time: now(),
                        origin: origin ?? Origin(cause: .hub, caller: nil)
                    )
                )
            )
        }
    }

    /// Returns whether a user may let devices act as another user, or as themselves.
    func mayInvite(_ user: UUID, by inviter: UUID) async -> Bool {
        if user == inviter { return true }
        guard user != owner.user else { return false }
        let homes = await database.homes.filter { $0.users[id: user] != nil }
        return !homes.isEmpty
            && homes.allSatisfy { home in
                guard let role = home.activeRole(of: user), let own = home.activeRole(of: inviter) else { return false }
                return own == .owner || own.canEditLayout && !role.canEditLayout
            }
    }

    /// Returns whether a user owns all homes of another user.
    func ownsHomes(of user: UUID, _ possible: UUID) async -> Bool {
        let homes = await database.homes.filter { $0.users[id: user] != nil }
        return user != owner.user && !homes.isEmpty && homes.allSatisfy { $0.activeRole(of: possible) == .owner }
    }

    // MARK: Store

    /// Returns the open invitation with an ID; `nil` for the open code.
    func stored(_ id: InvitationID?) -> StoredInvitation? {
        invitations.values.first { invitation in
            guard isOpen(invitation), invitation.verifier != nil, !beingUsed.contains(invitation.id) else {
                return false
            }
            return id.map { InvitationID(invitation.id) == $0 } ?? (invitation.kind == .code)
        }
    }

    /// Stores an invitation that has changed.
    func save(_ invitation: StoredInvitation) async throws(HubError) {
        do {
            let bytes = Array(try JSONEncoder().encode(invitation))
            try await changes.setSecrets([Self.key(invitation.id): bytes])
        } catch {
            throw HubError(storing: "The invitation could not be stored", error)
        }
    }

    /// Replaces an open invitation in memory; `nil` if it is being used or has ended.
    func replace(_ id: UUID, with invitation: StoredInvitation?) {
        invitations[id] = invitation
        updateTable()
    }

    private static func lifetime(of kind: InvitationKind?) -> Duration {
        kind == .code ? DeviceLimits.codeLifetime : DeviceLimits.invitationLifetime
    }

    /// Returns whether an invitation hasn't expired, by the system's clock and by the time that has passed.
    private func isOpen(_ invitation: StoredInvitation) -> Bool {
        invitation.expires > now() && uptime() < deadlines[invitation.id] ?? .zero
    }

    /// Sets when an invitation ends at the latest.
    private func limitTime(of invitation: StoredInvitation) {
        let rest = Duration.seconds(max(0, invitation.expires.timeIntervalSince(now())))
        let lifetime = min(rest, Self.lifetime(of: invitation.kind))
        deadlines[invitation.id] = uptime() + lifetime
        timers[invitation.id] = Task { [weak self] in
            try? await Task.sleep(for: lifetime)
            guard !Task.isCancelled else { return }
            await self?.removeExpired()
        }
    }

    private func forgetTime(of invitation: StoredInvitation) {
        deadlines[invitation.id] = nil
        timers.removeValue(forKey: invitation.id)?.cancel()
    }

    private func removeExpired() async {
        for invitation in invitations.values where !isOpen(invitation) {
            do throws(HubError) {
                try await end(invitation)
            } catch {
                log.warning("An expired invitation could not be removed.", metadata: [LogKey.error: "\(error)"])
            }
        }
    }

    /// Ends an invitation, and declines the device that waits for it.
    func end(_ invitation: StoredInvitation) async throws(HubError) {
        replace(invitation.id, with: nil)
        do {
            try await changes.setSecrets([Self.key(invitation.id): nil])
        } catch {
            replace(invitation.id, with: invitation)
            throw HubError(storing: "The invitation could not be removed", error)
        }
        await didEnd(invitation)
    }

    private func didEnd(_ invitation: StoredInvitation) async {
        forgetTime(of: invitation)
        if let pending = invitation.pending {
            // A device that isn't let in comes once more to hear so.
            doors.keep(invitation.id, for: pending.key, within: TimeInterval(JoinLimits.repetitionTime))
        } else {
            doors.close(invitation.id)
        }
        if let question = asked.removeValue(forKey: invitation.id) { await questions.withdraw(question) }
    }

    /// Ends an invitation with which a device was added. What is stored of it stays as long as the device needs the door.
    func endUsed(_ invitation: StoredInvitation, by key: PublicKey) async throws(HubError) {
        guard invitation.door != nil else { return try await end(invitation) }
        await didUse(invitation, by: key)
    }

    private func didUse(_ invitation: StoredInvitation, by key: PublicKey) async {
        replace(invitation.id, with: nil)
        forgetTime(of: invitation)
        doors.keep(invitation.id, for: key)
        if let question = asked.removeValue(forKey: invitation.id) { await questions.withdraw(question) }
    }

    // MARK: The other hub

    /// Takes over the invitations that the other hub has stored, changed or ended.
    func follow(_ secrets: [SecretKey: [UInt8]?]) async {
        for (key, bytes) in secrets where key.kind == .invitation {
            guard let bytes else {
                guard let id = UUID(uuidString: key.name), let ended = invitations[id] else { continue }
                await forget(ended)
                continue
            }
            guard let invitation = try? JSONDecoder().decode(StoredInvitation.self, from: Data(bytes)) else { continue }
            await adopt(invitation)
        }
    }

    /// Follows that devices have joined with invitations, maybe at the other hub.
    func follow(_ devices: [AccountDeviceRecord]) async {
        for device in devices {
            guard let id = device.invitation, let used = invitations[id], !beingUsed.contains(id) else { continue }
            if let key = device.publicKey { await didUse(used, by: key) }
        }
    }

    private func adopt(_ invitation: StoredInvitation) async {
        let former = invitations[invitation.id]
        guard former != invitation else { return }
        var adopted = invitation
        // Wrong tries at both hubs at once don't make each other undone.
        if let former { adopted.tries = [former.tries, invitation.tries].compactMap(\.self).max() }
        invitations[invitation.id] = adopted
        if former == nil {
            limitTime(of: invitation)
            openDoor(of: invitation)
        }
        updateTable()
        if invitation.pending != former?.pending { await ask(about: invitation) }
    }

    /// Reads all invitations again.
    func reload() async throws {
        let used = await database.usedInvitations
        var stored: Set<UUID> = []
        for key in try await store.secrets(.invitation, of: nil) {
            guard let bytes = try await store.secret(key) else { continue }
            let invitation = try JSONDecoder().decode(StoredInvitation.self, from: Data(bytes))
            guard !used.contains(invitation.id), !isOfHub(invitation) else { continue }
            stored.insert(invitation.id)
            await adopt(invitation)
        }
        for invitation in invitations.values where !stored.contains(invitation.id) { await forget(invitation) }
    }

    /// Forgets an invitation that has ended otherwise.
    func forget(_ invitation: StoredInvitation) async {
        replace(invitation.id, with: nil)
        await didEnd(invitation)
    }

    /// Whether the hub that waits for an answer is in the list of hubs, so that it was let in.
    private func isOfHub(_ invitation: StoredInvitation) -> Bool {
        invitation.pending.map { hubs.list?.list.member(with: $0.key) != nil } ?? false
    }

    /// Removes the invitations that have ended while no hub led.
    func removeEnded() async {
        await removeExpired()
        let used = await database.usedInvitations
        for key in (try? await store.secrets(.invitation, of: nil)) ?? [] {
            guard let id = UUID(uuidString: key.name), invitations[id] == nil, !doors.has(id) else { continue }
            let isUsed = used.contains(id)
            let bytes = isUsed ? nil : try? await store.secret(key)
            let invitation = bytes.flatMap { try? JSONDecoder().decode(StoredInvitation.self, from: Data($0)) }
            guard isUsed || invitation.map(isOfHub) == true else { continue }
            try? await changes.setSecrets([key: nil])
        }
    }

    /// Ends the invitations that a device created.
    func endInvitations(from device: UUID) async {
        for invitation in invitations.values where invitation.device == device { try? await end(invitation) }
    }

    private func updateTable() {
        let joinable = invitations.values.filter { $0.verifier != nil }
        table.set(openInvitations: joinable.count, pending: Set(joinable.compactMap(\.pending?.key)))
    }

    private static func key(_ id: UUID) -> SecretKey { SecretKey(kind: .invitation, log: nil, name: id.uuidString) }

    private static func description(_ invitation: StoredInvitation, in home: UUID, as user: UUID) -> Invitation {
        Invitation(
            id: invitation.id,
            home: home,
            user: user,
            created: invitation.created,
            expires: invitation.expires,
            kind: invitation.kind,
            triesLeft: invitation.verifier == nil ? nil : invitation.triesLeft
        )
    }

    /// The error for a user with as many devices as possible.
    static func tooManyDevices(of user: UUID, _ owner: HubOwner) -> HubError {
        let limit = DeviceLimits.agents(of: user, owner: owner.user)
        return HubError(.tooManyDevices, "There are \(limit) devices already. Remove one first: hearth device list")
    }
}
