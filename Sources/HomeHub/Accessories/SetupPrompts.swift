import Foundation
import HAP
import HomeModel
import HubAPI

/// What a person decides while an accessory is added in a guided set-up.
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

    /// Asks whether an accessory that is not certified is added.
    ///
    /// - Throws: ``HubError/Code/cancelled`` if it is not.
    func confirmUncertified(
        _ name: String,
        _ deviceID: DeviceID?,
        for session: HubSession
    ) async throws(HubError) {
        let inquiry = QuestionDraft(
            kind: .uncertifiedAccessory,
            text: "“\(name)” is not certified to work with HomeKit. Add it anyway?",
            audience: .editors(of: home),
            deviceID: deviceID?.description,
            fields: [QuestionField("decision", choices: [Self.add, Self.cancel])]
        )
        guard try await questions.answer(to: inquiry, for: session) == Self.add.value else {
            throw HubError(.cancelled, "“\(name)” is not certified, and was not to be added.")
        }
    }

    /// Asks how the accessories are named and placed.
    ///
    /// - Parameters:
    ///   - addition: The request that adds them.
    /// - Returns: The requests that add them so, and what makes them happen.
    func requests(
        completing addition: AddAccessories,
        for session: HubSession
    ) async throws(HubError) -> (requests: [any HomeRequest], cause: Cause) {
        let caller = session.caller
        let suggested = await suggested(addition, by: caller)
        let proposal = try await database.preview([suggested], in: home, by: caller)
        guard let form = SetupForm(suggested, proposal) else { return ([addition], session.cause) }
        let inquiry = QuestionDraft(
            kind: .accessoryDetails,
            text: form.text,
            audience: .editors(of: home),
            deviceID: form.server,
            fields: form.fields
        )
        let answers = try await questions.answers(to: inquiry, for: session) { (answers) async throws(HubError) in
            _ = try await database.preview(try form.requests(answers), in: home, by: caller)
        }
        return (try form.requests(answers.values), session.cause(agreedBy: answers.user))
    }

    /// The addition with the suggested name and room, as far as they can be had.
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
