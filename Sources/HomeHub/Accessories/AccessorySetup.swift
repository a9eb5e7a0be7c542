import Foundation
import HAP
import HAPClient
import HomeModel
import HubAPI

/// The guided setup: asks the user for what the request leaves out, then adds the accessory.
struct AccessorySetup: Sendable {
    /// The choice to search the network again.
    private static let lookAgain = QuestionField.Choice("again", "Look Again")

    let addition: AccessoryAddition

    private var database: HomeDatabase { addition.database }
    private var discovery: AccessoryDiscovery { addition.connections.discovery }
    private var questions: QuestionManager { addition.questions }

    /// Guides a user through the addition of an accessory.
    ///
    /// - Parameters:
    ///   - parameters: The home, the accessory and its setup payload, as far as the client knows them.
    ///   - session: The session of the client.
    ///   - keyed: The request, if it has an idempotency key.
    /// - Returns: The home and the IDs of the accessories, once the change is stored.
    /// - Throws: ``HubError/Code/cancelled`` if a question is declined or not answered. Nothing is added then, and an
    ///   accessory that this setup paired is unpaired. Also the errors of
    ///   ``AccessoryAddition/add(_:for:guide:receipt:)``.
    func setUp(
        _ parameters: SetUpAccessories,
        for session: HubSession,
        _ keyed: KeyedRequest?
    ) async throws(HubError) -> Committed<SetUpResult> {
        if let reference = parameters.reference,
            reference.unicodeScalars.count > SetUpAccessories.referenceLength
        {
            let limit = SetUpAccessories.referenceLength
            throw HubError(HomeError(.invalidParameter, "A reference has at most \(limit) characters."))
        }
        let payload = try parameters.payload.map { (text) throws(HubError) in try Self.payload(text) }
        let home = try await home(parameters, session)
        try await database.checkMayEdit(home, session.user)
        let guide = SetupPrompts(
            database: database,
            questions: questions,
            home: home,
            name: parameters.name,
            room: parameters.room,
            reference: parameters.reference
        )
        guide.report(.looking, to: session)
        let deviceID = try await deviceID(parameters, payload, home, session)
        let request = AddAccessory(home: home, deviceID: deviceID, code: payload?.setupCode?.dashed)
        let added = try await addition.add(request, for: session, guide: guide) { (added) throws(HubError) in
            try keyed?.receipt(SetUpResult(home: home, ids: added.ids))
        }
        guide.report(.done, to: session)
        return added.map { SetUpResult(home: home, ids: $0.ids) }
    }

    private static func payload(_ text: String) throws(HubError) -> SetupPayload {
        do throws(SetupPayloadError) {
            return try SetupPayload(text)
        } catch {
            throw HubError(.invalidSetupPayload, "\(error).")
        }
    }

    private func home(_ parameters: SetUpAccessories, _ session: HubSession) async throws(HubError) -> UUID {
        if let home = parameters.home { return home }
        let homes = await database.editableHomes(of: session.user)
        guard let first = homes.first else {
            throw HubError(HomeError(.notFound, "You have no home to which you can add an accessory."))
        }
        if homes.count == 1 { return first.id }
        let choices = homes.map { QuestionField.Choice($0.id.uuidString, $0.name) }
        let primary = homes.first(where: \.isPrimary) ?? first
        let draft = QuestionDraft(
            kind: .home,
            text: "Which home should the accessory be added to?",
            audience: .person(session.user),
            fields: [QuestionField("home", "Home", suggestion: primary.id.uuidString, choices: choices)],
            reference: parameters.reference
        )
        let answer = try await questions.answer(to: draft, for: session)
        return UUID(uuidString: answer) ?? primary.id
    }

    // MARK: Choosing the accessory

    /// Returns the device ID of the accessory that the request names, that matches the scanned setup payload, or that
    /// the user chooses.
    private func deviceID(
        _ parameters: SetUpAccessories,
        _ payload: SetupPayload?,
        _ home: UUID,
        _ session: HubSession
    ) async throws(HubError) -> String {
        if let deviceID = parameters.deviceID { return deviceID }
        let isMatch = Self.condition(of: payload)
        while true {
            _ = await discovery.server(within: AccessoryAddition.discoveryTimeout) { !$0.isPaired && isMatch($0) }
            let servers = await discovery.addable
            let matching = servers.filter(isMatch)
            // A scanned setup ID matches one accessory. If none matches, it may be one that advertises no setup hash.
            if payload?.setupID != nil, let server = matching.first { return server.deviceID.description }
            let choices = matching.isEmpty ? servers.filter { $0.setupHash == nil } : matching
            guard !choices.isEmpty else {
                throw HubError(.notDiscovered, "No accessory to add was found. Check that it is powered on.")
            }
            let answer = try await questions.answer(
                to: Self.selection(choices, home, parameters.reference),
                for: session
            )
            if answer != Self.lookAgain.value { return answer }
        }
    }

    private static func condition(
        of payload: SetupPayload?
    ) -> @Sendable (AccessoryDiscovery.Server) -> Bool {
        guard let setupID = payload?.setupID else { return { _ in true } }
        return { $0.setupHash == SetupHash(setupID: setupID, deviceID: $0.deviceID).textValue }
    }

    private static func selection(
        _ servers: [AccessoryDiscovery.Server],
        _ home: UUID,
        _ reference: String?
    ) -> QuestionDraft {
        let choices = servers.map { server in
            let isAmbiguous = servers.count { $0.name == server.name } > 1
            let id = server.deviceID.description
            let name = server.name.sanitized(maximumLength: HomeLimits.nameLength)
            return QuestionField.Choice(id, isAmbiguous ? "\(name) (\(id))" : name)
        }
        let suggestion = servers.count == 1 ? servers.first?.deviceID.description : nil
        return QuestionDraft(
            kind: .accessory,
            text: "Which accessory should be added?",
            audience: .editors(of: home),
            fields: [
                QuestionField("accessory", "Accessory", suggestion: suggestion, choices: choices + [lookAgain])
            ],
            reference: reference
        )
    }
}
