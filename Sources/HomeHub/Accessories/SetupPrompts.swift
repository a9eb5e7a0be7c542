import Foundation
import HAP
import HomeModel
import HubAPI

/// The questions that a guided setup asks the user while it adds an accessory.
struct SetupPrompts: Sendable {
    private static let add = QuestionField.Choice("add", "Add Anyway")
    private static let cancel = QuestionField.Choice("cancel", "Cancel")

    let database: HomeDatabase
    let questions: QuestionManager
    let home: UUID
    /// The name to suggest.
    let name: String?
    /// The room to suggest.
    let room: UUID?
    /// The client's reference for the questions.
    let reference: String?

    /// Tells the client that the setup has come to a step.
    ///
    /// - Parameter accessory: The name that the accessory advertises, if it is known.
    func report(_ step: SetupProgress.Step, of accessory: String? = nil, to session: HubSession) {
        guard let reference else { return }
        let name = accessory.map { $0.sanitized(maximumLength: HomeLimits.nameLength) }
        session.deliver(.event(.setupProgress(SetupProgress(reference: reference, step: step, accessory: name))))
    }

    /// Asks whether to add an accessory that is not certified.
    ///
    /// - Throws: ``HubError/Code/cancelled`` if the user declines.
    func confirmUncertified(
        _ name: String,
        _ deviceID: DeviceID?,
        for session: HubSession
    ) async throws(HubError) {
        let draft = QuestionDraft(
            kind: .uncertifiedAccessory,
            text: "“\(name)” is not certified to work with HomeKit. Add it anyway?",
            audience: .editors(of: home),
            deviceID: deviceID?.description,
            fields: [QuestionField("decision", choices: [Self.add, Self.cancel])],
            reference: reference
        )
        guard try await questions.answer(to: draft, for: session) == Self.add.value else {
            throw HubError(.cancelled, "“\(name)” isn't certified, and you chose not to add it.")
        }
    }

    /// Asks for the accessories' names and rooms.
    ///
    /// - Parameter addition: The request that adds the accessories.
    /// - Returns: The requests that add the accessories with these names and rooms, and the requests' cause.
    func requests(
        completing addition: AddAccessories,
        for session: HubSession
    ) async throws(HubError) -> (requests: [any HomeRequest], cause: Cause) {
        let caller = session.caller
        let suggested = await suggested(addition, by: caller)
        let proposal = try await database.preview([suggested], in: home, by: caller)
        guard let form = SetupForm(suggested, proposal) else { return ([addition], session.cause) }
        report(.placing, to: session)
        let draft = QuestionDraft(
            kind: .accessoryDetails,
            text: form.text,
            audience: .editors(of: home),
            deviceID: form.server,
            fields: form.fields,
            reference: reference
        )
        let answers = try await questions.answers(to: draft, for: session) { (answers) async throws(HubError) in
            _ = try await database.preview(try form.requests(answers), in: home, by: caller)
        }
        return (try form.requests(answers.values), session.cause(agreedBy: answers.user))
    }

    /// Returns the addition with the suggested name and room, leaving out a suggestion that the home wouldn't accept.
    private func suggested(_ addition: AddAccessories, by caller: Caller) async -> AddAccessories {
        var suggested = addition
        for (name, room) in [(name, nil), (nil, room)] where name != nil || room != nil {
            var attempt = suggested
            attempt.name = name ?? attempt.name
            attempt.room = room ?? attempt.room
            if (try? await database.preview([attempt], in: home, by: caller)) != nil { suggested = attempt }
        }
        return suggested
    }
}
