import Foundation
import HomeModel
import HomeStore
import HubAPI
import LocalRPC
import PeerProcess
import Synchronization
import Testing

@testable import HomeHub
@testable import HubServer

/// What one of two hubs asks, answered at the other one.
@Suite(.onePairAtATime) struct PairQuestionTests {
    /// A person's client that shows questions.
    private struct Viewer {
        let connection: HubConnection
        /// The questions that it was told of.
        let shown: AwaitableValue<[UUID]>

        init(at hub: RunningHub) async throws {
            let shown = AwaitableValue<[UUID]>([])
            self.shown = shown
            connection = try await hub.owner { event in
                switch event {
                case .asked(let question): shown.change { $0.append(question.id) }
                case .questionClosed(let id): shown.change { $0.removeAll { $0 == id } }
                default: break
                }
            }
            _ = try await questions()
        }

        func questions() async throws -> [Question] {
            try await connection.call(HubMethods.questions, Empty()).questions
        }

        /// Waits until exactly one question is shown.
        func question() async throws -> Question {
            try await Wait.until("a question is shown") { try await questions().count == 1 }
            return try #require(try await questions().first)
        }

        func answer(_ question: Question, _ answer: String) async throws {
            _ = try await connection.call(HubMethods.answerQuestion, AnswerQuestion(id: question.id, answer: answer))
        }

        func refusal(of question: Question, _ answer: String) async -> HubError? {
            await #expect(throws: HubError.self) { try await self.answer(question, answer) }
        }
    }

    private static let wrongColor = HubError(HubError.Code(rawValue: "invalidParameter"), "Blue is the only color.")

    /// Asks a client of a hub for a color, which is blue.
    private static func ask(
        _ audience: QuestionDraft.Audience,
        at hub: RunningHub
    ) -> Task<Result<String, HubError>, Never> {
        let draft = QuestionDraft(kind: .voice, text: "Which color?", audience: audience)
        let session = hub.hub.accept(as: hub.authority) { _ in }
        return Task {
            defer { session.close() }
            do throws(HubError) {
                return .success(
                    try await hub.hub.questions.answer(to: draft, for: session) { answer throws(HubError) in
                        guard answer == "blue" else { throw wrongColor }
                    }
                )
            } catch {
                return .failure(error)
            }
        }
    }

    /// Runs a body with two hubs that are connected.
    private static func withHubs(_ body: (RunningHub, RunningHub, _ home: UUID) async throws -> Void) async throws {
        try await RunningHub.withFolder { folder in
            let (one, two) = (folder.appending(path: "one"), folder.appending(path: "two"))
            try await RunningHub.start(one).run { first in
                let home = try await first.addHome("Villa")
                try await first.letJoin(two)
                try await RunningHub.start(two).run { second in
                    try await first.addRoom("Attic", in: home)
                    try await second.has("Attic", in: home)
                    // What was asked about the second hub is answered, and the invitation is used.
                    for hub in [first, second] {
                        #expect(await hub.hub.questions.count == 0)
                        try await Wait.until("the invitation is removed") {
                            try await hub.hub.store.secrets(.invitation, of: nil).isEmpty
                        }
                    }
                    try await body(first, second, home)
                }
            }
        }
    }

    @Test func whoeverMayAnswerIsAskedAtBothHubs() async throws {
        try await Self.withHubs { first, second, home in
            for (asker, other) in [(first, second), (second, first)] {
                let (near, far) = (try await Viewer(at: asker), try await Viewer(at: other))
                defer {
                    near.connection.close()
                    far.connection.close()
                }
                for audience in [QuestionDraft.Audience.editors(of: home), .person(asker.hub.owner.user)] {
                    let asking = Self.ask(audience, at: asker)
                    let question = try await far.question()
                    #expect(try await near.question() == question && question.text == "Which color?")
                    #expect(await far.refusal(of: question, "red") == Self.wrongColor)
                    let target = QuestionTarget(id: question.id)
                    let renewed = try await far.connection.call(HubMethods.renewQuestion, target)
                    #expect(renewed.expires > question.expires)
                    try await Wait.until("both hubs know how long it waits") {
                        try await far.questions().first?.expires == near.questions().first?.expires
                    }
                    try await far.answer(question, "blue")
                    #expect(await asking.value == .success("blue"))
                    try await far.shown.until { $0.isEmpty }
                    try await near.shown.until { $0.isEmpty }
                    #expect(await far.refusal(of: question, "blue")?.code.rawValue == "notFound")

                    let again = Self.ask(audience, at: asker)
                    let declined = QuestionTarget(id: try await far.question().id)
                    _ = try await far.connection.call(HubMethods.declineQuestion, declined)
                    #expect(await again.value == .failure(QuestionManager.declined))
                    try await far.shown.until { $0.isEmpty }
                    try await near.shown.until { $0.isEmpty }
                }
                // It is nobody else's.
                let asking = Self.ask(.person(UUID()), at: asker)
                try await Wait.until("it is asked") { await asker.hub.questions.count == 1 }
                let known = Self.ask(.editors(of: home), at: asker)
                #expect(try await far.question().home == home)
                for question in [known, asking] { question.cancel() }
                for question in [known, asking] { _ = await question.value }
                try await far.shown.until { $0.isEmpty }
            }
        }
    }

    @Test func questionsAreToldOnceTheHubsConnectAndEndWithTheConnection() async throws {
        try await RunningHub.withFolder { folder in
            let (one, two) = (folder.appending(path: "one"), folder.appending(path: "two"))
            try await RunningHub.start(one).run { first in
                let home = try await first.addHome("Villa")
                try await first.letJoin(two)
                let asking = Self.ask(.editors(of: home), at: first)
                try await Wait.until("it is asked") { await first.hub.questions.count == 1 }
                try await RunningHub.start(two).run { second in
                    let far = try await Viewer(at: second)
                    defer { far.connection.close() }
                    let question = try await far.question()
                    await first.links.stop()
                    try await Wait.until("it isn't shown") { try await far.questions().isEmpty }
                    #expect(await far.refusal(of: question, "blue")?.code.rawValue == "notFound")
                }
                asking.cancel()
                _ = await asking.value
            }
        }
    }

    @Test func aQuestionThatIsTooLongIsAnsweredAtTheHubThatAsks() throws {
        func news(_ length: Int) -> QuestionNews {
            let text = String(repeating: "?", count: length)
            let (id, expires) = (UUID(), Date(timeIntervalSince1970: 1_790_000_000))
            return .asked(
                Question(id: id, kind: .voice, text: text, home: nil, deviceID: nil, app: "", expires: expires),
                .person(UUID())
            )
        }
        let rest = try #require(news(0).bytes).count
        let longest = news(QuestionSharing.newsBytes - rest)
        let bytes = try #require(longest.bytes)
        #expect(bytes.count == QuestionSharing.newsBytes && QuestionNews(bytes) == longest)
        #expect(news(QuestionSharing.newsBytes - rest + 1).bytes == nil)
        #expect(QuestionNews(bytes + [UInt8(ascii: " ")]) == nil)
        let closed = QuestionNews.closed(UUID())
        #expect(QuestionNews(try #require(closed.bytes)) == closed)
        for line in ["", "{}", #"{"asked":1}"#, #"{"home":"x"}"#] { #expect(QuestionNews(Array(line.utf8)) == nil) }
    }
}
