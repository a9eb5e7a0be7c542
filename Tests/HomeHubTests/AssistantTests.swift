import Foundation
import HAPCatalog
import HomeModel
import HomeText
import HubAPI
import Testing

@testable import HomeHub

/// AI assistants: what they may, what a person must agree to, and how the journal names them.
struct AssistantTests {
    private typealias Fixture = VoiceTests.Fixture

    private static let name = "Claude"

    private static func assistant(_ fixture: Fixture) async throws -> RecordingHubClient {
        try await RecordingHubClient(to: fixture.hub, app: name, isAssistant: true)
    }

    private static func write(
        _ value: CharacteristicValue,
        to type: HAPType,
        of index: Int,
        _ fixture: Fixture
    ) throws -> WriteCharacteristics {
        let home = try #require(fixture.client.view.homes[fixture.home])
        let record = try #require(home.accessories[id: fixture.accessories[index]])
        let shape = try #require(home.services(of: record).flatMap(\.characteristics).first { $0.type == type })
        let reference = CharacteristicReference(accessory: record.id, iid: shape.iid)
        return WriteCharacteristics(home: fixture.home, writes: [.init(characteristic: reference, value: value)])
    }

    /// Answers the next question of the kind as the person.
    private static func answer(_ answer: String, _ fixture: Fixture) async throws -> Question {
        // It is in the reply if it was asked before the request, and in an event otherwise.
        let open = try await fixture.client.call(HubMethods.questions, Empty()).questions
        let question =
            if let first = open.first { first } else {
                try await fixture.client.until { !$0.questions.isEmpty }.questions[0]
            }
        _ = try await fixture.client.call(
            HubMethods.answerQuestion,
            AnswerQuestion(id: question.id, answer: answer)
        )
        return question
    }

    @Test func whatAnAssistantDoesIsNamedInTheJournal() async throws {
        try await VoiceTests.withHome { fixture in
            let assistant = try await Self.assistant(fixture)
            #expect(assistant.welcome.isAssistant == true)
            let on = try Self.write(.bool(true), to: HAPType.Characteristic.on, of: 0, fixture)
            #expect(try await assistant.call(HubMethods.write, on).outcomes.first?.error == nil)
            _ = try await fixture.say("turn on the floor lamp", by: assistant)
            await fixture.hub.journal.flush()
            let sentences = JournalSentence(timeZone: .gmt, now: Date())
            for (index, reason) in [
                (0, "because the assistant “Claude”, for Tester, asked for it."),
                (1, "because the assistant “Claude”, for Tester, said “turn on the floor lamp”."),
            ] {
                let target = ItemTarget(home: fixture.home, id: fixture.accessories[index])
                // An assistant asks why, too.
                let chain = try await assistant.call(HubMethods.explain, target).entries
                #expect(chain.last?.cause.kind == .assistant)
                let text = sentences.explanation(chain) ?? ""
                #expect(text.hasSuffix(reason), "\(text)")
                #expect(sentences.source(try #require(chain.last)) == "the assistant “Claude”, for Tester")
            }
        }
    }

    @Test func aPersonMustAgreeBeforeAnAssistantUnlocks() async throws {
        try await VoiceTests.withHome { fixture in
            let assistant = try await Self.assistant(fixture)
            let unlock = try Self.write(.integer(0), to: HAPType.Characteristic.lockTargetState, of: 2, fixture)
            let refused = Task { try await assistant.call(HubMethods.write, unlock) }
            let question = try await Self.answer("no", fixture)
            #expect(question.kind == .assistant)
            #expect(question.text == "The assistant “Claude” asks to unlock Front Door. Allow it?")
            let error = await #expect(throws: HubError.self) { try await refused.value }
            #expect(error?.code == .cancelled)
            #expect(try fixture.value(of: HAPType.Characteristic.lockTargetState, 2) == .integer(1))

            async let allowed = assistant.call(HubMethods.write, unlock)
            _ = try await Self.answer("yes", fixture)
            #expect(try await allowed.outcomes.first?.error == nil)
            #expect(try fixture.value(of: HAPType.Characteristic.lockTargetState, 2) == .integer(0))
            // Locking needs nobody.
            let lock = try Self.write(.integer(1), to: HAPType.Characteristic.lockTargetState, of: 2, fixture)
            #expect(try await assistant.call(HubMethods.write, lock).outcomes.first?.error == nil)
            // Neither does a person's own client.
            #expect(try await fixture.client.call(HubMethods.write, unlock).outcomes.first?.error == nil)
        }
    }

    @Test func aSentenceAndASceneAskTheSame() async throws {
        try await VoiceTests.withHome { fixture in
            let assistant = try await Self.assistant(fixture)
            async let said = fixture.say("unlock the front door", by: assistant)
            let first = try await Self.answer("no", fixture)
            #expect(first.text == "The assistant “Claude” asks to unlock Front Door. Allow it?")
            #expect(try await said.outcome == .unconfirmed)
            // Which of several is meant is the assistant's to say.
            let which = try await fixture.say("unlock the door", by: assistant)
            #expect(which.outcome == .unconfirmed)
            #expect(which.answer == "Which one: Front Door or Back Door?")

            let home = fixture.home
            let addition = InHome(home, AddActionSet(name: "Early Start"))
            let scene = try await fixture.client.call(HubMethods.addActionSet, addition).id
            let record = try #require(fixture.client.view.homes[home])
            for (index, type) in [(0, HAPType.Characteristic.on), (3, HAPType.Characteristic.lockTargetState)] {
                let accessory = try #require(record.accessories[id: fixture.accessories[index]])
                let shape = try #require(
                    record.services(of: accessory).flatMap(\.characteristics).first { $0.type == type }
                )
                let identity = try #require(record.identity(ofCharacteristic: shape.iid, in: accessory.id))
                let value: CharacteristicValue = index == 0 ? .bool(true) : .integer(0)
                let action = AddAction(identity, value: value, actionSet: scene)
                _ = try await fixture.client.call(HubMethods.addAction, InHome(home, action))
            }
            let text = "The assistant “Claude” asks to run “Early Start”, which would unlock Back Door. Allow it?"
            let run = Task { try await assistant.call(HubMethods.runActionSet, ItemTarget(home: home, id: scene)) }
            #expect(try await Self.answer("no", fixture).text == text)
            await #expect(throws: HubError.self) { try await run.value }
            async let again = fixture.say("run early start", by: assistant)
            #expect(try await Self.answer("no", fixture).text == text)
            #expect(try await again.outcome == .unconfirmed)
            #expect(try fixture.value(of: HAPType.Characteristic.on, 0) == .bool(false))
            #expect(try fixture.value(of: HAPType.Characteristic.lockTargetState, 3) == .integer(1))
        }
    }

    @Test func aServiceThatAsksFirstAsksForAssistantsToo() async throws {
        try await VoiceTests.withHome { fixture in
            let home = try #require(fixture.client.view.homes[fixture.home])
            let lamp = try #require(home.accessories[id: fixture.accessories[0]])
            let service = try #require(home.services(of: lamp).first { $0.type == HAPType.Service.lightbulb })
            let asks = SetServiceAsksFirst(true, accessory: lamp.id, iid: service.iid)
            _ = try await fixture.client.call(HubMethods.setServiceAsksFirst, InHome(fixture.home, asks))
            let assistant = try await Self.assistant(fixture)
            let on = try Self.write(.bool(true), to: HAPType.Characteristic.on, of: 0, fixture)
            async let written = assistant.call(HubMethods.write, on)
            #expect(
                try await Self.answer("yes", fixture).text
                    == "The assistant “Claude” asks to turn Desk Lamp on. Allow it?"
            )
            #expect(try await written.outcomes.first?.error == nil)
        }
    }

    @Test func anAssistantAnswersNoQuestionsAndChangesNoHomes() async throws {
        try await VoiceTests.withHome { fixture in
            let assistant = try await Self.assistant(fixture)
            _ = try await fixture.client.call(HubMethods.questions, Empty())
            async let said = fixture.say("unlock the front door", by: assistant)
            let question = try await fixture.client.until { !$0.questions.isEmpty }.questions[0]
            for refused in [
                await #expect(throws: HubError.self) {
                    try await assistant.call(
                        HubMethods.answerQuestion,
                        AnswerQuestion(id: question.id, answer: QuestionField.yes)
                    )
                },
                await #expect(throws: HubError.self) { try await assistant.call(HubMethods.questions, Empty()) },
                await #expect(throws: HubError.self) {
                    try await assistant.call(HubMethods.removeHome, HomeTarget(home: fixture.home))
                },
                await #expect(throws: HubError.self) {
                    try await assistant.call(HubMethods.allowApp, AppTarget(id: Self.name))
                },
            ] {
                #expect(refused?.code.rawValue == "insufficientPrivileges")
            }
            _ = try await fixture.client.call(HubMethods.declineQuestion, QuestionTarget(id: question.id))
            #expect(try await said.outcome == .unconfirmed)
            let names = Set(fixture.hub.methods.map(\.name))
            #expect(HubMethods.forAssistants.isSubset(of: names))
        }
    }

    @Test func assistantsAreAppsThatNeedConsent() async throws {
        try await VoiceTests.withHome { fixture in
            let assistant = try await Self.assistant(fixture)
            _ = try await fixture.client.call(HubMethods.denyApp, AppTarget(id: Self.name))
            await #expect(throws: (any Error).self) {
                try await fixture.say("turn on the desk lamp", by: assistant)
            }
            await #expect(throws: (any Error).self) { try await Self.assistant(fixture) }
            // Nor can it pass for one of Hearth's own programs.
            for name in ["hearth", "hearth.page"] {
                await #expect(throws: (any Error).self) {
                    try await RecordingHubClient(to: fixture.hub, app: name, isAssistant: true)
                }
            }
        }
    }
}
