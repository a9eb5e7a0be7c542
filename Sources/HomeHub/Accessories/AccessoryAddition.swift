import Foundation
import HAP
import HAPCatalog
import HAPClient
import HomeModel
import HubAPI

/// Adds accessories to a home: finds the accessory, checks the home's rules, pairs, and stores the accessory in the
/// home.
///
/// An interrupted addition leaves one of two states. Either the accessory is in the home and paired, or it is in no
/// home and the removal of its pairing is scheduled (``AccessoryConnections``).
struct AccessoryAddition: Sendable {
    /// The longest time to wait for an accessory to be discovered, for example after the hub started.
    static let discoveryTimeout = Duration.seconds(5)
    /// The number of setup codes that a user may enter in a guided setup.
    private static let codesPerSetup = 3

    let database: HomeDatabase
    let connections: AccessoryConnections
    let questions: QuestionManager

    /// A closure that creates the receipt to store together with the addition.
    typealias Receipt = @Sendable (AddedAccessories) throws(HubError) -> RequestReceipt?

    /// Pairs an accessory and adds it to the home. An accessory of the home that was reset is paired again and keeps
    /// its room, names and IDs.
    ///
    /// - Parameters:
    ///   - parameters: The accessory, the home, and the accessory's name and room.
    ///   - session: The session of the client.
    ///   - guide: The prompts of a guided setup.
    ///   - receipt: A closure that creates the request's receipt. If the request ends before the accessory is in the
    ///     home, no receipt is stored.
    /// - Returns: The IDs of the accessories, once the change is stored.
    /// - Throws: ``HubAPI/HubError`` if the accessory can't be found, paired or added.
    func add(
        _ parameters: AddAccessory,
        for session: HubSession,
        guide: SetupPrompts? = nil,
        receipt: @escaping Receipt
    ) async throws(HubError) -> Committed<AddedAccessories> {
        let caller = guide == nil ? session.caller : session.person
        // This check comes first, so that a user who can't change the home learns nothing about the network.
        try await database.checkMayEdit(parameters.home, caller.user)
        let target = try await AdditionTarget.find(parameters, by: connections.discovery)
        try await check(target, parameters, by: caller)
        let pairing = try await pair(target, parameters, for: session, guide)
        guide?.report(.reading, of: target.name, to: session)
        // An accessory found by its address reports its ID only now. It may be one of the home's that was reset.
        if let members = await members(of: parameters.home, on: pairing.deviceID) {
            try await connections.renew(pairing, in: parameters.home, at: target.addresses)
            return Committed(AddedAccessories(ids: members), follows: [])
        }
        return try await admit(
            pairing,
            at: target.addresses,
            parameters,
            by: caller,
            cause: session.cause,
            guided: guide.map { ($0, session) },
            receipt: receipt
        )
    }

    // MARK: Checks

    /// Throws if the home wouldn't accept the accessory once it is paired. A home accepts its own accessory that was
    /// reset.
    private func check(
        _ target: AdditionTarget,
        _ parameters: AddAccessory,
        by caller: Caller
    ) async throws(HubError) {
        if let deviceID = target.deviceID, !target.isPaired,
            await connections.isOutOfReach(deviceID, memberOf: parameters.home)
        {
            return try await checkNotInAnotherHome(deviceID, than: parameters.home, by: caller)
        }
        try await check(parameters, target.deviceID, name: target.name, by: caller)
    }

    /// Throws if the home wouldn't accept an accessory with the given name, or if the accessory is in another home.
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
            // An accessory found by its address reports its ID only during pair setup.
            server: (deviceID ?? DeviceID.random()).description,
            name: parameters.name,
            room: parameters.room
        )
        _ = try await database.preview([request], in: parameters.home, by: caller)
        if let deviceID { try await checkNotInAnotherHome(deviceID, than: parameters.home, by: caller) }
    }

    /// Throws if an accessory is in another home of the hub. A member of that home learns which it is.
    private func checkNotInAnotherHome(_ id: DeviceID, than home: UUID, by caller: Caller) async throws(HubError) {
        guard let other = await connections.otherHome(of: id, than: home) else { return }
        let known = await database.homes(of: caller.user).first { $0.id == other }
        throw .inAnotherHome(known)
    }

    private func members(of home: UUID, on server: DeviceID) async -> [UUID]? {
        let members = await database.home(home)?.accessories(onServer: server.description).map(\.id) ?? []
        return members.isEmpty ? nil : members
    }

    // MARK: Pairing

    /// Pairs with the setup code from the request, or asks the user for one. In a guided setup the user can correct a
    /// wrong code.
    private func pair(
        _ target: AdditionTarget,
        _ parameters: AddAccessory,
        for session: HubSession,
        _ guide: SetupPrompts?
    ) async throws(HubError) -> AccessoryPairing {
        var question = "What is the setup code of “\(target.name)”?"
        var triesLeft: Int?
        var isConfirmed = target.isCertified
        for remaining in (0..<(guide == nil ? 1 : Self.codesPerSetup)).reversed() {
            let code = try await code(for: target, parameters, session, question, guide?.reference, triesLeft)
            if !isConfirmed { try await guide?.confirmUncertified(target.name, target.deviceID, for: session) }
            isConfirmed = true
            guide?.report(.pairing, of: target.name, to: session)
            do throws(HubError) {
                return try await PairingAttempt.pair(
                    target.deviceID,
                    at: target.addresses,
                    with: parameters.home,
                    by: .setupCode(code),
                    connections
                )
            } catch {
                guard error.code == .wrongSetupCode, parameters.code == nil, remaining > 0 else { throw error }
                question = "That wasn't the setup code of “\(target.name)”. What is the setup code?"
                triesLeft = remaining
            }
        }
        throw HubError(.wrongSetupCode, "The setup code is wrong.")
    }

    private func code(
        for target: AdditionTarget,
        _ parameters: AddAccessory,
        _ session: HubSession,
        _ question: String,
        _ reference: String?,
        _ triesLeft: Int?
    ) async throws(HubError) -> SetupCode {
        if let code = parameters.code { return try Self.setupCode(code) }
        let draft = QuestionDraft(
            kind: .setupCode,
            text: question,
            audience: .editors(of: parameters.home),
            deviceID: target.deviceID?.description,
            reference: reference,
            triesLeft: triesLeft
        )
        let answer = try await questions.answer(to: draft, for: session) { (answer) async throws(HubError) in
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

    // MARK: Adding to the home

    /// Adds an accessory that has the home's pairing.
    ///
    /// - Parameters:
    ///   - pairing: The home's pairing with the accessory.
    ///   - addresses: The addresses to try.
    ///   - parameters: The home, and the accessory's name and room.
    ///   - caller: The caller of the request.
    ///   - cause: The cause of the change, unless a guided setup supplies one.
    ///   - guided: The prompts of a guided setup, and the session that they are for.
    ///   - receipt: A closure that creates the request's receipt, or `nil` if it has none.
    func admit(
        _ pairing: AccessoryPairing,
        at addresses: [AccessoryAddress],
        _ parameters: AddAccessory,
        by caller: Caller,
        cause: Cause,
        guided: (guide: SetupPrompts, session: HubSession)? = nil,
        receipt: Receipt? = nil
    ) async throws(HubError) -> Committed<AddedAccessories> {
        let home = parameters.home
        return try await connections.admit(pairing, to: home, at: addresses) { (candidates) async throws(HubError) in
            let addition = AddAccessories(
                candidates,
                server: pairing.deviceID.description,
                name: parameters.name,
                room: parameters.room
            )
            var (requests, cause): ([any HomeRequest], Cause) = ([addition], cause)
            if let (guide, session) = guided {
                (requests, cause) = try await guide.requests(completing: addition, for: session)
                guide.report(.saving, to: session)
            }
            let changes = try await database.submit(
                requests,
                in: home,
                by: caller,
                cause: cause
            ) { (changes) throws(HubError) in try receipt?(Self.added(by: changes)) }
            return try await changes.committed(Self.added(by: changes.compactMap(\.change)))
        }
    }

    private static func added(by changes: [Change]) -> AddedAccessories {
        AddedAccessories(ids: changes.first { $0.verb == .accessoriesAdded }?.subjects ?? [])
    }
}
