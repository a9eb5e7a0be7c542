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
    let questions: QuestionDesk
    let pairer: AccessoryPairer
    let log: Logger

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
    /// - Parameter guide: Asks a person for what they decide in a guided set-up.
    func add(
        _ parameters: AddAccessory,
        for session: HubSession,
        guide: SetupGuide? = nil
    ) async throws(HubError) -> AddedAccessories {
        let caller = guide == nil ? session.caller : session.person
        // First, so that nobody learns by it what is on the network who may not change the home.
        try await database.checkMayEdit(parameters.home, caller.user)
        let target = try await target(of: parameters)
        if let deviceID = target.deviceID, !target.isPaired,
            await connections.isOutOfReach(deviceID, memberOf: parameters.home)
        {
            return try await renew(target, deviceID, parameters, for: session, guide)
        }
        try await check(parameters, target.deviceID, name: target.name, by: caller)
        if let deviceID = target.deviceID { try await checkBelongsNowhereElse(deviceID, home: parameters.home) }
        let pairing = try await pair(target, parameters, for: session, guide)
        let guided = guide.map { ($0, session) }
        return try await admit(
            pairing,
            at: target.addresses,
            parameters,
            by: caller,
            cause: session.cause,
            guided: guided
        )
    }

    /// Adds an accessory that holds the home's pairing.
    ///
    /// - Parameter guided: Who asks a person for what they decide, and for whose session.
    func admit(
        _ pairing: AccessoryPairing,
        at addresses: [AccessoryAddress],
        _ parameters: AddAccessory,
        by caller: Caller,
        cause: Cause,
        guided: (guide: SetupGuide, session: HubSession)? = nil
    ) async throws(HubError) -> AddedAccessories {
        var candidates: [AccessoryCandidate] = []
        do throws(HubError) {
            let attributes = try await connections.join(pairing, in: parameters.home, at: addresses)
            candidates = await connections.candidates(attributes, of: pairing.deviceID)
            let addition = HomeRequest.addAccessories(
                candidates,
                server: pairing.deviceID.description,
                name: parameters.name,
                room: parameters.room
            )
            var (requests, cause) = ([addition], cause)
            if let (guide, session) = guided {
                (requests, cause) = try await guide.requests(completing: addition, for: session)
            }
            connections.live.expect(candidates.map(\.id))
            let commitments = try await database.submit(requests, in: parameters.home, by: caller, cause: cause)
            for commitment in commitments { try await commitment.settled() }
            await connections.adopt(pairing.deviceID, knowing: attributes)
            log.info("An accessory was added.", metadata: Self.metadata(pairing.deviceID, in: parameters.home))
            return AddedAccessories(ids: commitments.first?.change?.subjects ?? [])
        } catch {
            var metadata = Self.metadata(pairing.deviceID, in: parameters.home)
            metadata[LogKey.code] = "\(error.code.rawValue)"
            log.info("An accessory was paired but not added; its pairing is taken back.", metadata: metadata)
            connections.live.expect(candidates.map(\.id), false)
            await connections.leave(pairing.deviceID, from: parameters.home)
            throw error
        }
    }

    private static func metadata(_ server: DeviceID?, in home: UUID) -> Logger.Metadata {
        [LogKey.accessory: server.map { "\($0)" } ?? "", LogKey.home: "\(home)"]
    }

    private func renew(
        _ target: Target,
        _ deviceID: DeviceID,
        _ parameters: AddAccessory,
        for session: HubSession,
        _ guide: SetupGuide?
    ) async throws(HubError) -> AddedAccessories {
        let pairing = try await pair(target, parameters, for: session, guide)
        try await connections.renew(pairing, in: parameters.home, at: target.addresses)
        let home = try await database.home(parameters.home, for: session.user)
        return AddedAccessories(ids: home.accessories(onServer: deviceID.description).map(\.id))
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
            name: server.name.shown(length: HomeLimits.nameLength),
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
        let request = HomeRequest.addAccessories(
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
        _ guide: SetupGuide?
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
        let inquiry = Inquiry(
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
        let settlement = connections.settlement
        var pending = PendingPairing(deviceID: target.deviceID, addresses: target.addresses)
        await settlement.suspend(pending, in: home)
        var isUnsettled = false
        do {
            let replaced = try await vault.pairings(of: home).first { $0.deviceID == target.deviceID }
            pending.replaces = replaced?.accessoryPublicKey
            // A try of before may have left the accessory with the home's pairing.
            isUnsettled = try await vault.unfinished(in: home).contains { $0.name == pending.name }
            if isUnsettled { isUnsettled = !(await settlement.settle(pending, in: home)) }
            do {
                return try await pair(target, pending, code: code, in: home)
            } catch PairerError.outcomeUnknown(let reason) {
                isUnsettled = true
                guard await settlement.settle(pending, in: home) else { throw PairerError.outcomeUnknown(reason) }
                isUnsettled = false
                return try await pair(target, pending, code: code, in: home)
            }
        } catch {
            if case PairerError.outcomeUnknown = error { isUnsettled = true }
            if !(error is PairerError) { isUnsettled = true }
            if isUnsettled {
                await settlement.resume(pending, in: home)
            } else {
                // The accessory has no keys of ours.
                try? await vault.finish(pending, in: home)
            }
            if let error = error as? HubError ?? (error as? PairerError).map({ HubError($0) }) {
                var metadata = Self.metadata(target.deviceID, in: home)
                metadata[LogKey.code] = "\(error.code.rawValue)"
                log.info("An accessory was not paired.", metadata: metadata)
                throw error
            }
            log.error("A pairing could not be stored.", metadata: [LogKey.error: "\(error)"])
            throw HubError(.storeFailure, "The accessory was not added: \(error)")
        }
    }

    private func pair(
        _ target: Target,
        _ pending: PendingPairing,
        code: SetupCode,
        in home: UUID
    ) async throws -> AccessoryPairing {
        let pairing = try await pairer.pair(
            at: target.addresses,
            code: code,
            controller: try await vault.controllerIdentity(of: home),
            expecting: target.deviceID
        ) {
            try await vault.begin(pending, in: home)
        }
        // Only now is it certain which accessory it is; if it is another home's, the pairing is withdrawn.
        try await checkBelongsNowhereElse(pairing.deviceID, home: home)
        try await connections.prepareToJoin(pairing.deviceID)
        try await vault.keep(pairing, in: home)
        try await vault.finish(pending, in: home)
        log.info("An accessory was paired.", metadata: Self.metadata(pairing.deviceID, in: home))
        return pairing
    }

    // MARK: Removing

    /// Removes an accessory, or a bridge with all behind it, from its home, and unpairs it.
    func remove(
        _ target: HubAPI.Target,
        by caller: Caller,
        cause: Cause
    ) async throws(HubError) -> Handling<Done> {
        let server = try await database.home(target.home, for: caller.user).accessories[id: target.id]?.server
        let commitment = try await database.submit(
            .removeAccessory(target.id),
            in: target.home,
            by: caller,
            cause: cause
        )
        return .later { () async throws(HubError) in
            try await commitment.settled()
            if let deviceID = server.flatMap({ DeviceID($0) }) { await connections.leave(deviceID, from: target.home) }
            return Done()
        }
    }

    /// Removes a home and unpairs all that is in it.
    func removeHome(
        _ target: HomeTarget,
        by caller: Caller,
        cause: Cause
    ) async throws(HubError) -> Handling<Done> {
        try await database.checkOwns(target.home, caller.user)
        let settleLast: @Sendable () async -> Void
        do {
            try await connections.prepareToLeave(home: target.home)
            settleLast = try await connections.settlement.release(home: target.home)
        } catch {
            throw HubError(.storeFailure, "The home was not removed: \(error)")
        }
        let commitment = try await database.submit(.removeHome(target.home), by: caller, cause: cause)
        return .later { () async throws(HubError) in
            try await commitment.settled()
            await connections.leave(home: target.home)
            await settleLast()
            return Done()
        }
    }
}
