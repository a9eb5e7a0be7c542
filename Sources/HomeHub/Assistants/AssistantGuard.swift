import Foundation
import HAPCatalog
import HomeModel
import HomeText
import HubAPI

/// Asks a person before an assistant unlocks, opens or disarms something.
///
/// The question goes to the user for whom the assistant acts. Assistants can't answer questions.
struct AssistantGuard: Sendable {
    /// The maximum number of things that a question names.
    private static let namedLimit = 5

    let questions: QuestionManager

    /// Returns the writes to which a person must agree, as commands such as “unlock Front Door”.
    ///
    /// Writes to what the home doesn't have aren't among them, because they fail.
    func guarded(_ writes: [WriteCharacteristics.Write], in home: Home) -> [String] {
        let sentences = TriggerSentence(names: HomeVocabulary(home), timeZone: .gmt)
        return writes.compactMap { write in
            let reference = write.characteristic
            guard let accessory = home.accessories[id: reference.accessory],
                let service = home.services(of: accessory).first(where: { service in
                    service.characteristics.contains { $0.iid == reference.iid }
                }), let shape = service.characteristics.first(where: { $0.iid == reference.iid })
            else { return nil }
            var value: CharacteristicValue?
            if case .value(let content) = write.content { value = content }
            guard home.isGuarded(shape, of: service, in: accessory, writing: value) else { return nil }
            guard let value else { return "change \(Home.name(of: service, in: accessory))" }
            let identity = CharacteristicIdentity(
                accessory: accessory.id,
                characteristic: Home.characteristicID(of: shape.iid, in: accessory),
                type: shape.type
            )
            return sentences.text(Action(id: accessory.id, operation: .write(identity, value)))
        }
    }

    /// Returns the actions of a scene to which a person must agree.
    func guarded(_ actionSet: ActionSetRecord, in home: Home) -> [String] {
        guarded(actionSet.actions.compactMap { try? home.order(of: $0).write }, in: home)
    }

    /// Asks the assistant's user.
    ///
    /// - Parameters:
    ///   - commands: The commands, such as “unlock Front Door”.
    ///   - scene: The name of the scene that would carry them out; `nil` if none would.
    /// - Throws: ``HubError/Code/cancelled`` if the user declines or doesn't answer in time.
    func askPerson(
        about commands: [String],
        inScene scene: String? = nil,
        for session: HubSession
    ) async throws(HubError) {
        var named = commands.prefix(Self.namedLimit).joined(separator: ", ")
        let rest = commands.count - Self.namedLimit
        if rest > 0 { named += " and \(rest) more" }
        let ran = scene.map { "run “\($0)”, which would \(named)" } ?? named
        let text = "The assistant “\(session.caller.app)” asks to \(ran). Allow it?"
        let declined = HubError(.cancelled, "A person declined to \(ran).")
        let choices = [QuestionField.Choice(QuestionField.yes, "Yes"), QuestionField.Choice(QuestionField.no, "No")]
        let draft = QuestionDraft(
            kind: .assistant,
            text: text,
            audience: .person(session.user),
            fields: [QuestionField(QuestionField.answer.id, choices: choices)],
            refusal: declined
        )
        guard try await questions.answer(to: draft, for: session) == QuestionField.yes else { throw declined }
    }
}
