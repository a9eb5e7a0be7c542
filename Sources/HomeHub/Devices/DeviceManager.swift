import Foundation
import HomeModel
import HomeStore
import HubAPI
import Logging

/// Signs devices in and out, and knows which are signed in.
///
/// A code, which a user gets on a device that the hub trusts already, gives a token for some hours. A device that stays
/// signed in also gets a credential, which it exchanges for a new token and a new credential. The hub keeps only digests.
actor DeviceManager: HubPart {
    private struct Token {
        var device: UUID
        var expires: Duration
    }

    /// A credential that was just replaced. A device whose reply was lost, or with two pages open, gets the same one.
    private struct Renewal {
        var credential: String
        var expires: Duration
    }

    let store: HomeStore
    private let changes: any ChangeWriter
    let database: HomeDatabase
    let sessions: SessionRegistry
    let invitations: InvitationManager
    let table: DeviceTable
    let owner: HubOwner
    let now: @Sendable () -> Date
    private let uptime: @Sendable () -> Duration
    let log: Logger

    private var gate = LoginGate()
    private(set) var devices: [UUID: SignedInDevice] = [:]
    private var tokens: [[UInt8]: Token] = [:]
    private var renewals: [UUID: Renewal] = [:]
    private var lastUpdates: [UUID: Duration] = [:]
    /// When devices with a key last used the hub.
    var uses: [UUID: DeviceUse] = [:]
    private var addresses: [String] = []
    private var fingerprint: String?
    /// The latest write of a device. Writes follow one another.
    private var lastSave: Task<Void, any Error>?

    init(
        store: HomeStore,
        changes: any ChangeWriter,
        database: HomeDatabase,
        sessions: SessionRegistry,
        invitations: InvitationManager,
        table: DeviceTable,
        owner: HubOwner,
        now: @escaping @Sendable () -> Date,
        clock: any Clock<Duration>,
        log: Logger
    ) {
        self.store = store
        self.changes = changes
        self.database = database
        self.sessions = sessions
        self.invitations = invitations
        self.table = table
        self.owner = owner
        self.now = now
        uptime = Self.stopwatch(clock)
        self.log = log
    }

    /// Returns a closure that returns the time that has passed on a clock.
    static func stopwatch<C: Clock>(_ clock: C) -> @Sendable () -> Duration where C.Duration == Duration {
        let start = clock.now
        return { start.duration(to: clock.now) }
    }

    /// Loads the devices that stay signed in.
    ///
    /// - Parameter canChange: Whether the hub can store changes already. One of two hubs can't.
    func start(canChange: Bool) async throws {
        for device in try await stored() { devices[device.id] = device }
        try await loadUses()
        if canChange { try await matchRecords() }
    }

    private func stored() async throws -> [SignedInDevice] {
        var devices: [SignedInDevice] = []
        for key in try await store.secrets(.device, of: nil) {
            guard let bytes = try await store.secret(key) else { continue }
            devices.append(try JSONDecoder().decode(SignedInDevice.self, from: Data(bytes)))
        }
        return devices
    }

    /// Registers the methods.
    nonisolated func register(in router: inout MethodRouter) {
        router.on(HubMethods.createLogin) { (parameters, session) async throws(HubError) in
            .done(try await self.createLogin(parameters, for: session))
        }
        router.on(HubMethods.devices) { (_, session) async throws(HubError) in
            .done(await self.list(for: session))
        }
        registerChanges(in: &router)
    }

    /// Sets the addresses at which the hub serves HTTP, the best first.
    func setAddresses(_ addresses: [String], fingerprint: String?) {
        self.addresses = addresses
        self.fingerprint = fingerprint
    }

    // MARK: Codes

    private func createLogin(_ request: CreateLogin, for session: HubSession) async throws(HubError) -> LoginCode {
        guard !addresses.isEmpty else {
            throw HubError(.notAllowedNow, "This hub doesn't serve HTTP. Start it with --http.")
        }
        var user = session.user
        if let target = request.user {
            user = try await database.person(target, of: session)
            let isOwner = session.user == owner.user && session.authority.client == .person
            guard isOwner || user == session.user else {
                let reason = "Only the hub's own user, on the hub's machine, can create a code for another user."
                throw HubError(HomeError(.insufficientPrivileges, reason))
            }
        }
        return createLogin(for: user)
    }

    /// Creates a code that signs a user in.
    func createLogin(for user: UUID) -> LoginCode {
        let code = SecretText.code()
        gate.add(SecretText.digest(code), for: user, at: uptime())
        return LoginCode(
            code: code,
            expiresIn: Int(LoginGate.Limits().lifetime / .seconds(1)),
            addresses: addresses,
            links: LoginLink.links(to: addresses, code: code),
            fingerprint: fingerprint
        )
    }

    /// Signs a device in with a code.
    ///
    /// - Parameters:
    ///   - code: The code as the user entered it.
    ///   - name: The device's name.
    ///   - staysSignedIn: Whether the device gets a credential.
    ///   - address: The address of the device, which limits attempts to guess a code.
    func signIn(
        code: String,
        name: String,
        staysSignedIn: Bool,
        from address: String
    ) async throws(HubError) -> SignIn {
        let name = name.sanitized(maximumLength: HomeLimits.nameLength).trimmingCharacters(in: .whitespaces)
        let code = SecretText.normalized(code)
        let digest = SecretText.digest(code)
        switch gate.enter(digest, from: address, at: uptime()) {
        case .accepted(let user):
            return try await add(name.isEmpty ? "Browser" : name, of: user, staysSignedIn: staysSignedIn)
        case .wrong:
            // A wrong invitation counts as a wrong code, and a right one doesn't.
            if code.count == SecretText.invitationLength, let user = try await invitations.redeem(digest) {
                gate.forgive(address)
                return try await add(name.isEmpty ? "Browser" : name, of: user, staysSignedIn: staysSignedIn)
            }
            throw HubError(.wrongCode, "The code is wrong, was used or has expired. Get a new one: hearth login")
        case .tooManyTries(let wait):
            log.warning("There were too many attempts to sign in.", metadata: [LogKey.address: "\(address)"])
            let seconds = Int((wait / .seconds(1)).rounded(.up))
            var parts = ErrorParts()
            parts.retryAfter = seconds
            let reason = "There were too many wrong codes. Try again in \(seconds) seconds."
            throw HubError(.tooManyTries, reason, parts: parts)
        }
    }

    private func add(_ name: String, of user: UUID, staysSignedIn: Bool) async throws(HubError) -> SignIn {
        let others = devices.values.filter { $0.user == user && $0.staysSignedIn == staysSignedIn }
        if staysSignedIn {
            guard others.count < DeviceLimits.devicesPerUser else {
                let limit = "You can stay signed in on at most \(DeviceLimits.devicesPerUser) devices."
                let reason = "\(limit) Remove one first: hearth device list"
                throw HubError(HomeError(.limitExceeded, reason, limit: DeviceLimits.devicesPerUser))
            }
        } else if others.count >= DeviceLimits.sessionsPerUser {
            let oldest = others.min { $0.lastUse < $1.lastUse }
            if let oldest { end(oldest.id, because: Self.expired) }
        }
        var device = SignedInDevice(user: user, name: name, added: now())
        var credential: String?
        if staysSignedIn {
            let secret = SecretText.random()
            device.setCredential(SecretText.digest(secret))
            credential = Self.credential(device.id, secret)
        }
        devices[device.id] = device
        if staysSignedIn {
            do throws(HubError) {
                try await save(device)
                try await record(device)
            } catch {
                await forget(device.id, because: error)
                throw error
            }
        } else {
            _ = try await database.submit(joinOf: user, by: caller(of: device)).committed()
        }
        log.info("A device signed in.", metadata: [LogKey.device: "\(device.id)"])
        return await signIn(device, credential)
    }

    private func signIn(_ device: SignedInDevice, _ credential: String?) async -> SignIn {
        let now = uptime()
        tokens = tokens.filter { $0.value.expires > now }
        let own = tokens.filter { $0.value.device == device.id }.sorted { $0.value.expires < $1.value.expires }
        for (digest, _) in own.prefix(max(0, own.count - DeviceLimits.tokensPerDevice + 1)) { tokens[digest] = nil }
        let token = SecretText.random()
        tokens[SecretText.digest(token)] = Token(device: device.id, expires: now + DeviceLimits.tokenLifetime)
        return SignIn(
            token: token,
            expiresIn: Int(DeviceLimits.tokenLifetime / .seconds(1)),
            credential: credential,
            user: device.user,
            userName: await database.homes.lazy.compactMap { $0.users[id: device.user]?.name }.first ?? "",
            device: device.id
        )
    }

    private static func credential(_ id: UUID, _ secret: String) -> String { "\(id.uuidString).\(secret)" }

    // MARK: Renewal

    /// Exchanges a credential for a new token and a new credential.
    ///
    /// - Throws: ``HubAPI/HubError/Code/signedOut`` if the credential isn't valid. If it was replaced earlier, the device
    ///   is signed out, because somebody has a copy of it.
    func renew(_ credential: String) async throws(HubError) -> SignIn {
        let parts = credential.prefix(256).split(separator: ".", maxSplits: 1)
        guard parts.count == 2, let id = UUID(uuidString: String(parts[0])), var device = devices[id] else {
            throw Self.signedOut
        }
        let time = uptime()
        switch device.status(of: SecretText.digest(String(parts[1]))) {
        case .unknown: throw Self.signedOut
        case .former:
            guard let renewal = renewals[id], renewal.expires > time else { fallthrough }
            try await saved()
            return await signIn(device, renewal.credential)
        case .old:
            log.warning("A device's old credential was used. The device was signed out.", metadata: Self.metadata(id))
            await remove(id, because: Self.copied)
            throw Self.copied
        case .current:
            let former = device
            let secret = SecretText.random()
            device.setCredential(SecretText.digest(secret))
            device.lastUse = now()
            devices[id] = device
            let next = Self.credential(id, secret)
            renewals[id] = Renewal(credential: next, expires: time + DeviceLimits.formerCredential)
            do throws(HubError) {
                try await save(device)
            } catch {
                // The device comes again with the credential that it has.
                if devices[id]?.hasSameCredential(as: device) == true {
                    devices[id] = former
                    renewals[id] = nil
                }
                throw error
            }
            return await signIn(device, next)
        }
    }

    // MARK: Tokens

    /// Returns the authority that a token gives.
    ///
    /// - Throws: ``HubAPI/HubError/Code/signedOut`` if the token isn't valid.
    func authority(of token: String) throws(HubError) -> SessionAuthority {
        guard let token = tokens[SecretText.digest(token)], token.expires > uptime(), let device = devices[token.device]
        else { throw Self.signedOut }
        recordUse(of: device)
        return SessionAuthority(user: device.user, device: device.id, client: .device)
    }

    /// Returns whether a device is still signed in.
    func isSignedIn(_ id: UUID) -> Bool {
        guard let device = devices[id] else { return false }
        if device.staysSignedIn || tokens.values.contains(where: { $0.device == id && $0.expires > uptime() }) {
            return true
        }
        end(id, because: Self.expired)
        return false
    }

    /// Signs out the device with a token.
    func signOut(_ token: String) async throws(HubError) {
        let device = try authority(of: token).device
        await remove(device, because: Self.signedOut)
    }

    private func recordUse(of device: SignedInDevice) {
        let time = uptime()
        if let last = lastUpdates[device.id], time - last < DeviceLimits.useInterval { return }
        lastUpdates[device.id] = time
        devices[device.id]?.lastUse = now()
        guard device.staysSignedIn, let device = devices[device.id] else { return }
        // The time of the last use may be lost if the hub stops now.
        save(device, onFailure: "The time of a device's last use could not be stored.")
    }

    // MARK: End

    /// Signs a device out and removes what is stored about it, with its record.
    private func remove(_ id: UUID, because error: HubError) async {
        if let device = devices[id], device.staysSignedIn {
            do throws(HubError) {
                let request = AccountRequest.removeDevices([id], at: now())
                try await database.submit(request, of: device.user, by: caller(of: device), cause: .hub).committed()
            } catch {
                log.warning("A device's record could not be removed.", metadata: [LogKey.error: "\(error)"])
            }
        }
        await forget(id, because: error)
    }

    /// Forgets devices whose records were removed.
    func forget(_ ids: Set<UUID>) async {
        for id in ids {
            uses[id] = nil
            if devices[id] != nil { await forget(id, because: Self.signedOut) }
        }
    }

    /// Signs a device out and removes its credentials.
    func forget(_ id: UUID, because error: HubError) async {
        let wasStored = devices[id]?.staysSignedIn == true
        end(id, because: error)
        guard wasStored else { return }
        let key = SecretKey(kind: .device, log: nil, name: id.uuidString)
        let earlier = lastSave
        let changes = changes
        let removal = Task {
            _ = await earlier?.result
            try await changes.setSecrets([key: nil])
        }
        lastSave = removal
        do {
            try await removal.value
        } catch {
            log.error("A signed-out device could not be removed from the store.", metadata: [LogKey.error: "\(error)"])
        }
    }

    /// Makes a device's tokens and credentials invalid and closes its connections.
    private func end(_ id: UUID, because error: HubError) {
        devices[id] = nil
        renewals[id] = nil
        lastUpdates[id] = nil
        tokens = tokens.filter { $0.value.device != id }
        for session in sessions.all where session.authority.device == id && session.authority.client == .device {
            session.revoke(error)
        }
    }

    /// Renames a browser that doesn't stay signed in, which has no record.
    func rename(_ id: UUID, to name: String) { devices[id]?.name = name }

    // MARK: The other hub

    /// Takes over the devices that signed in, renewed their credential or signed out at the other hub.
    func follow(_ secrets: [SecretKey: [UInt8]?]) {
        for (key, bytes) in secrets where key.kind == .device {
            guard let bytes else {
                if let id = UUID(uuidString: key.name), devices[id]?.staysSignedIn == true {
                    end(id, because: Self.signedOut)
                }
                continue
            }
            if let device = try? JSONDecoder().decode(SignedInDevice.self, from: Data(bytes)) { adopt(device) }
        }
    }

    private func adopt(_ device: SignedInDevice) {
        if devices[device.id]?.hasSameCredential(as: device) != true { renewals[device.id] = nil }
        devices[device.id] = device
    }

    /// Reads all devices that stay signed in again.
    func reload() async throws {
        let stored = try await stored()
        let ids = Set(stored.map(\.id))
        for device in devices.values where device.staysSignedIn && !ids.contains(device.id) {
            end(device.id, because: Self.signedOut)
        }
        for device in stored { adopt(device) }
    }

    // MARK: Store

    private func save(_ device: SignedInDevice) async throws(HubError) {
        enqueue(device)
        try await saved()
    }

    private func save(_ device: SignedInDevice, onFailure message: Logger.Message) {
        enqueue(device)
        Task { [lastSave, log] in
            do {
                try await lastSave?.value
            } catch {
                log.warning(message, metadata: [LogKey.error: "\(error)"])
            }
        }
    }

    private func enqueue(_ device: SignedInDevice) {
        let earlier = lastSave
        let changes = changes
        // The task takes its place in the order before the first suspension.
        lastSave = Task {
            _ = await earlier?.result
            let bytes = Array(try JSONEncoder().encode(device))
            try await changes.setSecrets([SecretKey(kind: .device, log: nil, name: device.id.uuidString): bytes])
        }
    }

    func saved() async throws(HubError) {
        do {
            try await lastSave?.value
        } catch {
            throw HubError(storing: "The list of devices could not be stored", error)
        }
    }

    /// Waits for what is being stored.
    func stop() async {
        _ = await lastSave?.result
    }

    static func metadata(_ id: UUID) -> Logger.Metadata { [LogKey.device: "\(id)"] }

    static let signedOut = HubError(
        .signedOut,
        "This device isn't signed in. Sign in with a code: hearth login"
    )
    private static let expired = HubError(.signedOut, "The session has ended. Sign in with a code: hearth login")
    private static let copied = HubError(
        .signedOut,
        "This device was signed out, because its credential was used twice. Sign in with a code: hearth login"
    )
}
