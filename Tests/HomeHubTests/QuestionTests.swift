import Foundation
import HomeModel
import HubAPI
import Logging
import Testing

@testable import HomeHub

@Suite(.timeLimit(.minutes(1)))
struct QuestionTests {
    private static func desk(timeout: Duration = .seconds(60)) -> QuestionDesk {
        QuestionDesk(
            sessions: SessionRegistry(),
            timeout: timeout,
            now: { Date(timeIntervalSince1970: 1_000) },
            log: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
        )
    }

    private static let home = UUID()

    /// Someone who may change the home.
    private static let owner = session(.owner)

    private static func session(_ role: Role) -> HubSession {
        let session = HubSession(
            user: UUID(),
            device: UUID(),
            router: MethodRouter(),
            deliver: { _ in },
            onReturn: { _ in },
            onClose: { _ in }
        )
        session.roles[home] = role
        return session
    }

    private static func ask(_ desk: QuestionDesk) async throws(HubError) -> String {
        try await desk.ask(.setupCode, "Which code?", home: home, deviceID: nil, app: "test") {
            (answer) throws(HubError) in
            guard answer.count == 3 else { throw HubError(.invalidSetupCode, "Three characters, please.") }
        }
    }

    /// The first question that waits; asking and answering run side by side.
    private static func firstQuestion(of desk: QuestionDesk) async -> Question {
        while true {
            if let question = await desk.waiting(for: Self.owner).first { return question }
            await Task.yield()
        }
    }

    @Test func anAnswerEndsTheWait() async throws {
        let desk = Self.desk()
        async let answer = Self.ask(desk)
        let question = await Self.firstQuestion(of: desk)
        #expect(question.text == "Which code?")
        #expect(question.expires == Date(timeIntervalSince1970: 1_060))
        try await desk.answer(question.id, "abc", from: Self.owner)
        #expect(try await answer == "abc")
        #expect(await desk.waiting(for: Self.owner).isEmpty)
    }

    @Test func aUselessAnswerIsRefusedAndTheQuestionStaysOpen() async throws {
        let desk = Self.desk()
        async let answer = Self.ask(desk)
        let question = await Self.firstQuestion(of: desk)
        let refusal = await #expect(throws: HubError.self) {
            try await desk.answer(question.id, "abcd", from: Self.owner)
        }
        #expect(refusal?.code == .invalidSetupCode)
        #expect(await desk.waiting(for: Self.owner).count == 1)
        try await desk.answer(question.id, "xyz", from: Self.owner)
        #expect(try await answer == "xyz")
    }

    @Test func decliningCancelsWhatWasAskedFor() async throws {
        let desk = Self.desk()
        async let answer = Self.ask(desk)
        try await desk.decline(await Self.firstQuestion(of: desk).id, from: Self.owner)
        do {
            _ = try await answer
            Issue.record("a declined question had an answer")
        } catch {
            #expect((error as? HubError)?.code == .cancelled)
        }
    }

    @Test func aQuestionThatNobodyAnswersEndsByItself() async throws {
        let desk = Self.desk(timeout: .milliseconds(10))
        let error = await #expect(throws: HubError.self) { try await Self.ask(desk) }
        #expect(error?.code == .cancelled)
        #expect(await desk.waiting(for: Self.owner).isEmpty)
    }

    @Test func aQuestionEndsWithTheTaskThatAskedIt() async throws {
        let desk = Self.desk()
        let asking = Task { try await Self.ask(desk) }
        _ = await Self.firstQuestion(of: desk)
        asking.cancel()
        await #expect(throws: HubError.self) { try await asking.value }
        #expect(await desk.waiting(for: Self.owner).isEmpty)
    }

    @Test func closedAndUnknownQuestionsCannotBeAnswered() async throws {
        let desk = Self.desk()
        await #expect(throws: HubError.self) { try await desk.answer(UUID(), "abc", from: Self.owner) }
        await #expect(throws: HubError.self) { try await desk.decline(UUID(), from: Self.owner) }
    }

    @Test func whoMayNotChangeTheHomeHearsOfNoQuestionAndAnswersNone() async throws {
        let desk = Self.desk()
        let guest = Self.session(.guest)
        async let answer = Self.ask(desk)
        let question = await Self.firstQuestion(of: desk)
        #expect(await desk.waiting(for: guest).isEmpty)
        let answering = await #expect(throws: HubError.self) {
            try await desk.answer(question.id, "abc", from: guest)
        }
        let declining = await #expect(throws: HubError.self) { try await desk.decline(question.id, from: guest) }
        let unknown = await #expect(throws: HubError.self) { try await desk.decline(UUID(), from: Self.owner) }
        #expect(answering == unknown)
        #expect(declining == unknown)
        try await desk.answer(question.id, "abc", from: Self.owner)
        #expect(try await answer == "abc")
    }
}
