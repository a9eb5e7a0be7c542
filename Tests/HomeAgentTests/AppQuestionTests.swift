import Foundation
import HomeAgent
import HubAPI
import PeerProcess
import Testing

/// The questions whether apps may use the homes on a device.
struct AppQuestionTests {
    private static let app = "com.example.lights"

    private static func question(at client: RecordingClient) async throws -> Question {
        try #require(try await client.until { !$0.questions.isEmpty }.questions.first)
    }

    @Test func aNewAppWaitsUntilThePersonHasAllowedIt() async throws {
        try await AgentLab.run(asksAboutApps: true) { lab in
            let person = lab.command()
            try await person.welcome()
            #expect(try await person.call(HubMethods.questions, Empty()).questions.isEmpty)
            let (app, second) = (lab.app(), lab.app())
            let question = try await Self.question(at: person)
            #expect(question.kind == .app)
            #expect(question.app == Self.app)
            #expect(app.recording.value.welcomes.isEmpty)
            let waiting = try await person.call(HubMethods.apps, Empty()).apps
            #expect(waiting.map(\.isAllowed) == [nil])
            let wrong = AnswerQuestion(id: question.id, answer: "perhaps")
            #expect(await person.refusal(HubMethods.answerQuestion, wrong) == .invalidAnswer)
            _ = try await person.call(HubMethods.answerQuestion, AnswerQuestion(id: question.id, answer: "allow"))
            try await app.welcome()
            try await second.welcome()
            try await person.until { $0.questions.isEmpty }
            #expect(await person.refusal(HubMethods.answerQuestion, wrong)?.rawValue == "notFound")

            // The answer lasts.
            try lab.restartAgent()
            let (later, command) = (lab.app(), lab.command())
            try await later.welcome()
            try await command.welcome()
            #expect(try await command.call(HubMethods.apps, Empty()).apps.map(\.isAllowed) == [true])
        }
    }

    @Test func anAppThatIsDeniedOrDeclinedIsNotLetIn() async throws {
        try await AgentLab.run(asksAboutApps: true) { lab in
            let person = lab.command()
            try await person.welcome()
            _ = try await person.call(HubMethods.questions, Empty())
            let declined = lab.app("com.example.declined")
            let first = try await Self.question(at: person)
            _ = try await person.call(HubMethods.declineQuestion, QuestionTarget(id: first.id))
            #expect(try await declined.denial() == .appNotAllowed)
            // It isn't asked about again.
            #expect(try await lab.app("com.example.declined").denial() == .appNotAllowed)
            #expect(person.state.questions.isEmpty)

            let denied = lab.app()
            _ = try await Self.question(at: person)
            // The commands decide as well as the answer.
            _ = try await person.call(HubMethods.denyApp, AppTarget(id: Self.app))
            #expect(try await denied.denial() == .appNotAllowed)
            try await person.until { $0.questions.isEmpty }
        }
    }

    @Test func aQuestionThatNobodyAnswersEnds() async throws {
        try await AgentLab.run(asksAboutApps: true, questionTimeout: .milliseconds(20)) { lab in
            for _ in 0..<2 {
                let denial = try await lab.app().denial()
                #expect(denial == .cancelled)
            }
        }
    }

    @Test func aQuestionEndsWithTheAppThatWaits() async throws {
        try await AgentLab.run(asksAboutApps: true) { lab in
            let person = lab.command()
            try await person.welcome()
            _ = try await person.call(HubMethods.questions, Empty())
            let app = lab.app()
            _ = try await Self.question(at: person)
            app.close()
            try await person.until { $0.questions.isEmpty }
        }
    }

    @Test func theQuestionsOfTheHubAndTheAgentAreOneList() async throws {
        try await AgentLab.run(asksAboutApps: true) { lab in
            let direct = lab.direct("hearth")
            try await direct.welcome()
            let home = try await direct.call(HubMethods.addHome, AddHome(name: "Villa")).id
            let person = lab.command()
            try await person.welcome()
            _ = try await person.call(HubMethods.questions, Empty())
            async let invitation = direct.refusal(HubMethods.inviteUser, HomeTarget(home: home))
            let invite = try #require(try await person.until { $0.questions.count == 1 }.questions.first)
            let app = lab.app()
            try await person.until { $0.questions.count == 2 }
            let other = lab.command()
            try await other.welcome()
            let all = try await other.call(HubMethods.questions, Empty()).questions
            #expect(all.map(\.kind) == [.invitation, .app])
            _ = try await other.call(HubMethods.declineQuestion, QuestionTarget(id: invite.id))
            _ = await invitation
            // The hub's absence doesn't keep a person from answering.
            lab.way.cut()
            try await lab.away()
            let offline = lab.command()
            try await offline.welcome()
            let rest = try await offline.call(HubMethods.questions, Empty()).questions
            #expect(rest.map(\.kind) == [.app])
            let id = try #require(rest.first?.id)
            _ = try await offline.call(HubMethods.renewQuestion, QuestionTarget(id: id))
            _ = try await offline.call(HubMethods.answerQuestion, AnswerQuestion(id: id, answer: "allow"))
            try await app.welcome()
        }
    }
}
