import Foundation
import HAP
import HAPCatalog
import HAPClient
import HomeModel
import HubAPI
import Logging

/// Adds accessories to a home and removes them: pairing first, then the home; the home first, then unpairing.
///
/// Whatever interrupts it, one of two states results: the accessory is in the home and paired, or it is in no home and a
/// stored pairing is owed its removal (``AccessoryConnections``).
struct AccessoryAddition: Sendable {
    /// How long an accessory that was named by its id may take to be seen: a hub that just started has heard of none.
    static let discoveryTimeout = Duration.seconds(5)
    /// How many codes a person may try in a guided set-up.
    private static let codesPerSetup = 3

    let database: HomeDatabase
    let connections: AccessoryConnections
    let discovery: AccessoryDiscovery
    let vault: PairingVault
    let questions: QuestionManager
    let pairer: AccessoryPairer
    let log: Logger

    /// Makes of what was added what is stored together with it.
    typealias Receipt = @Sendable (AddedAccessories) throws(HubError) -> RequestReceipt?

    private struct Target {
        var name: String
        var deviceID: DeviceID?
        var addresses: [AccessoryAddress]
        /// Whether some controller has paired it, as far as it says so.
        var isPaired = true
        /// Whether it can prove that it is certified, as far as it says so.
        var isCertified = true
    }

    // MARK: Adding

    /// Pairs what the parameters name and adds it to the home. An accessory of the home that has forgotten its pairing is
    /// paired anew, and stays what it is: it keeps its room, its names and its identities.
    ///
    /// - Parameters:
    ///   - guide: Asks a person for what they decide in a guided set-up.
    ///   - receipt: The request's. One that is cut short before the accessory is in the home leaves none: it was not added.
    func add(
        _ parameters: AddAccessory,
        for session: HubSession,
        guide: SetupPrompts? = nil,
        receipt: @escaping Receipt
    ) async throws(HubError) -> Committed<AddedAccessories> {
        let caller = guide == nil ? session.caller : session.person
        // First, so that nobody learns by it what is on the network who may not change the home.
        try await database.checkMayEdit(parameters.home, caller.user)
        let target = try await target(of: parameters)
        var wasReset = false
        if let deviceID = target.deviceID, !target.isPaired {
            wasReset = await connections.isOutOfReach(deviceID, memberOf: parameters.home)
        }
        if !wasReset { try await check(parameters, target.deviceID, name: target.name, by: caller) }
        if let deviceID = target.deviceID { try await checkBelongsNowhereElse(deviceID, home: parameters.home) }
        let pairing = try await pair(target, parameters, for: session, guide)
        // Found by address alone, it told only now which accessory it is: one of the home's that let itself be paired was
        // reset.
        let home = await database.home(parameters.home)
        let members = home?.accessories(onServer: pairing.deviceID.description).map(\.id) ?? []
        guard members.isEmpty else {
            try await connections.renew(pairing, in: parameters.home, at: target.addresses)
            return Committed(AddedAccessories(ids: members), follows: [])
        }
        let guided = guide.map { ($0, session) }
        return try await admit(
            pairing,
            at: target.addresses,
            parameters,
            by: caller,
            cause: session.cause,
            guided: guided,
            receipt: receipt
        )
    }

    /// Adds an accessory that holds the home's pairing.
    ///
    /// - Parameters:
    ///   - guided: Who asks a person for what they decide, and for whose session.
    ///   - receipt: The request's, if it has one.
    func admit(
        _ pairing: AccessoryPairing,
        at addresses: [AccessoryAddress],
        _ parameters: AddAccessory,
        by caller: Caller,
        cause: Cause,
        guided: (guide: SetupPrompts, session: HubSession)? = nil,
        receipt: Receipt? = nil
    ) async throws(HubError) -> Committed<AddedAccessories> {
        var candidates: [AccessoryCandidate] = []
        do throws(HubError) {
            let attributes = try await connections.join(pairing, in: parameters.home, at: addresses)
            candidates = await connections.candidates(attributes, of: pairing.deviceID)
            let addition = AddAccessories(
                candidates,
                server: pairing.deviceID.description,
                name: parameters.name,
                room: parameters.room
            )
            var (requests, cause): ([any HomeRequest], Cause) = ([addition], cause)
            if let (guide, session) = guided {
                (requests, cause) = try await guide.requests(completing: addition, for: session)
            }
            connections.live.expect(candidates.map(\.id))
            let commitments = try await database.submit(
                requests,
                in: parameters.home,
                by: caller,
                cause: cause
            ) { (changes) throws(HubError) in try receipt?(Self.added(by: changes)) }
            let added = try await commitments.settled(Self.added(by: commitments.compactMap(\.change)))
            await connections.adopt(pairing.deviceID, knowing: attributes)
            log.info("An accessory was added.", metadata: Self.metadata(pairing.deviceID, in: parameters.home))
            return added
        } catch {
            var metadata = Self.metadata(pairing.deviceID, in: parameters.home)
            metadata[LogKey.code] = "\(error.code.rawValue)"
            log.info("An accessory was paired but not added; its pairing is taken back.", metadata: metadata)
            connections.live.expect(candidates.map(\.id), false)
            await connections.leave(pairing.deviceID, from: parameters.home)
            throw error
        }
    }

    private static func added(by changes: [Change]) -> AddedAccessories {
        AddedAccessories(ids: changes.first?.subjects ?? [])
    }

    private static func metadata(_ server: DeviceID?, in home: UUID) -> Logger.Metadata {
        [LogKey.accessory: server.map { "\($0)" } ?? "", LogKey.home: "\(home)"]
    }

    private func target(of parameters: AddAccessory) async throws(HubError) -> Target {
        if let host = parameters.host, let port = parameters.port, (1...Int(UInt16.max)).contains(port) {
            return Target(name: "\(host):\(port)", addresses: [AccessoryAddress(host: host, port: port)])
        }
        var server: AccessoryDiscovery.Server?
        if let id = parameters.discovered {
            server = await discovery.server(discovered: id)
        } else if let text = parameters.deviceID {
            guard let deviceID = DeviceID(text) else {
                let reason = "“\(text.prefix(40))” is not a device id; one looks like 3C:5A:B4:01:02:03."
                throw HubError(.notDiscovered, reason)
            }
            server = await discovery.server(deviceID, within: Self.discoveryTimeout)
        } else {
            throw HubError(.malformedMessage, "Say which accessory to add: by its id, or by host and port.")
        }
        guard let server else {
            throw HubError(.notDiscovered, "No such accessory is to be seen on the network. Is it switched on?")
        }
        return Target(
            name: server.name.sanitized(maximumLength: HomeLimits.nameLength),
            deviceID: server.deviceID,
            addresses: server.addresses,
            isPaired: server.isPaired,
            isCertified: server.isCertified
        )
    }

    /// Refuses before anything is touched what the home would refuse after pairing.
    func check(
        _ parameters: AddAccessory,
        _ deviceID: DeviceID?,
        name: String,
        by caller: Caller
    ) async throws(HubError) {
        let candidate = AccessoryCandidate(
            id: UUID(),
            aid: HAPLimits.primaryAccessoryID,
            reportedName: name,
            category: nil,
            information: AccessoryInformation(),
            services: []
        )
        let request = AddAccessories(
            [candidate],
            // Found by address alone, it tells its id only while it is paired.
            server: (deviceID ?? DeviceID.random()).description,
            name: parameters.name,
            room: parameters.room
        )
        _ = try await database.proposal([request], in: parameters.home, by: caller)
    }

    /// Refuses an accessory that is in another home of the hub.
    func checkBelongsNowhereElse(_ deviceID: DeviceID, home: UUID) async throws(HubError) {
        guard await connections.isMember(deviceID, ofOtherThan: home) else { return }
        let reason = "The accessory belongs to another home of this hub. Remove it there first."
        throw HubError(HomeError(.alreadyAdded, reason))
    }

    /// Pairs by the code that is given or that a person tells. Who is led through it may correct a code that was wrong.
    private func pair(
        _ target: Target,
        _ parameters: AddAccessory,
        for session: HubSession,
        _ guide: SetupPrompts?
    ) async throws(HubError) -> AccessoryPairing {
        var question = "What is the set-up code of “\(target.name)”?"
        var isConfirmed = target.isCertified
        for remaining in (0..<(guide == nil ? 1 : Self.codesPerSetup)).reversed() {
            let code = try await code(for: target, parameters, session, question)
            if !isConfirmed { try await guide?.confirmUncertified(target.name, target.deviceID, for: session) }
            isConfirmed = true
            do throws(HubError) {
                return try await pair(target, code: code, in: parameters.home)
            } catch {
                guard error.code == .wrongSetupCode, parameters.code == nil, remaining > 0 else { throw error }
                question = "That was not the set-up code of “\(target.name)”. What is it?"
            }
        }
        throw HubError(.wrongSetupCode, "The set-up code is wrong.")
    }

    private func code(
        for target: Target,
        _ parameters: AddAccessory,
        _ session: HubSession,
        _ question: String
    ) async throws(HubError) -> SetupCode {
        if let given = parameters.code { return try Self.setupCode(given) }
        let inquiry = QuestionDraft(
            kind: .setupCode,
            text: question,
            audience: .editors(of: parameters.home),
            deviceID: target.deviceID?.description
        )
        let answer = try await questions.answer(to: inquiry, for: session) { (answer) async throws(HubError) in
            _ = try Self.setupCode(answer)
        }
        return try Self.setupCode(answer)
    }

    private static func setupCode(_ text: String) throws(HubError) -> SetupCode {
        do throws(SetupCodeError) {
            return try SetupCode(text)
        } catch {
            throw HubError(.invalidSetupCode, "\(error)")
        }
    }

    /// Pairs. If the end of the exchange is lost, the pairing is withdrawn and made again; if that can't be done now, it
    /// is withdrawn later.
    private func pair(_ target: Target, code: SetupCode, in home: UUID) async throws(HubError) -> AccessoryPairing {
        var pending = PendingPairing(deviceID: target.deviceID, addresses: target.addresses)
        let attempt = try await PairingAttempt(pending, in: home, connections)
        var isUnsettled = false
        do {
            let replaced = try await vault.pairings(of: home).first { $0.deviceID == target.deviceID }
            pending.replaces = replaced?.accessoryPublicKey
            // A try of before may have left the accessory with the home's pairing.
            isUnsettled = try await vault.isUnfinished(pending, in: home)
            if isUnsettled { isUnsettled = !(await attempt.settle(pending)) }
            let pairing: AccessoryPairing
            do {
                pairing = try await pair(target, pending, code: code, attempt)
            } catch PairerError.outcomeUnknown(let reason) {
                isUnsettled = true
                guard await attempt.settle(pending) else { throw PairerError.outcomeUnknown(reason) }
                isUnsettled = false
                pairing = try await pair(target, pending, code: code, attempt)
            }
            await attempt.end()
            return pairing
        } catch {
            if case PairerError.outcomeUnknown = error { isUnsettled = true }
            if !(error is PairerError || error is PairingAttempt.HomeRemoved) { isUnsettled = true }
            await attempt.end(pending, isUnsettled: isUnsettled)
            let refusal = PairingAttempt.hubError(for: error) { HubError($0) }
            var metadata = Self.metadata(target.deviceID, in: home)
            metadata[LogKey.code] = "\(refusal.code.rawValue)"
            if refusal.code == .storeFailure { metadata[LogKey.error] = "\(error)" }
            let level: Logger.Level = refusal.code == .storeFailure ? .error : .info
            log.log(level: level, "An accessory was not paired.", metadata: metadata)
            throw refusal
        }
    }

    private func pair(
        _ target: Target,
        _ pending: PendingPairing,
        code: SetupCode,
        _ attempt: PairingAttempt
    ) async throws -> AccessoryPairing {
        let pairing = try await pairer.pair(
            at: target.addresses,
            code: code,
            controller: attempt.controller,
            expecting: target.deviceID
        ) {
            try await attempt.noteKeyExchange(pending)
        }
        // Only now is it certain which accessory it is; if it is another home's, the pairing is withdrawn.
        try await checkBelongsNowhereElse(pairing.deviceID, home: attempt.home)
        try await connections.prepareToJoin(pairing.deviceID)
        try await attempt.keep(pairing, pending)
        log.info("An accessory was paired.", metadata: Self.metadata(pairing.deviceID, in: attempt.home))
        return pairing
    }

    // MARK: Removing

    /// Removes an accessory, or a bridge with all behind it, from its home, and unpairs its server once nothing of it is left
    /// in the home.
    ///
    /// - Parameter receipt: Is stored together with the change of the home.
    func remove(
        _ target: InHome<RemoveAccessory>,
        by caller: Caller,
        cause: Cause,
        receipt: RequestReceipt?
    ) async throws(HubError) -> HandlerResult<Empty> {
        let server = try await database.home(target.home, for: caller.user).accessories[id: target.request.id]?.server
        let commitment = try await database.submit(
            target.request,
            in: target.home,
            by: caller,
            cause: cause,
            receipt: receipt
        )
        return .committing { () async throws(HubError) in
            let done = try await commitment.settled(Empty())
            if let deviceID = server.flatMap({ DeviceID($0) }) { await connections.leave(deviceID, from: target.home) }
            return done
        }
    }

    /// Removes a home and unpairs all that is in it.
    ///
    /// - Parameter receipt: Is stored together with the change of the list of homes.
    func removeHome(
        _ target: HomeTarget,
        by caller: Caller,
        cause: Cause,
        receipt: RequestReceipt?
    ) async throws(HubError) -> HandlerResult<Empty> {
        // With it go its keys, but for the pairings: from that moment on their removals are owed.
        let commitment = try await database.submit(
            .removeHome(target.home),
            by: caller,
            cause: cause,
            receipt: receipt
        )
        return .committing { () async throws(HubError) in
            let done = try await commitment.settled(Empty())
            await connections.leave(home: target.home)
            await connections.settlement.hasten(home: target.home)
            return done
        }
    }
}
