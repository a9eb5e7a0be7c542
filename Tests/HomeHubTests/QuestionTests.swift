import Foundation
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

    private static func ask(_ desk: QuestionDesk) async throws(HubError) -> String {
        try await desk.ask(.setupCode, "Which code?", home: UUID(), deviceID: nil, app: "test") {
            (answer) throws(HubError) in
            guard answer.count == 3 else { throw HubError(.invalidSetupCode, "Three characters, please.") }
        }
    }

    /// The first question that waits; asking and answering run side by side.
    private static func firstQuestion(of desk: QuestionDesk) async -> Question {
        while true {
            if let question = await desk.waiting.first { return question }
            await Task.yield()
        }
    }

    @Test func anAnswerEndsTheWait() async throws {
        let desk = Self.desk()
        async let answer = Self.ask(desk)
        let question = await Self.firstQuestion(of: desk)
        #expect(question.text == "Which code?")
        #expect(question.expires == Date(timeIntervalSince1970: 1_060))
        try await desk.answer(question.id, "abc")
        #expect(try await answer == "abc")
        #expect(await desk.waiting.isEmpty)
    }

    @Test func aUselessAnswerIsRefusedAndTheQuestionStaysOpen() async throws {
        let desk = Self.desk()
        async let answer = Self.ask(desk)
        let question = await Self.firstQuestion(of: desk)
        let refusal = await #expect(throws: HubError.self) { try await desk.answer(question.id, "abcd") }
        #expect(refusal?.code == .invalidSetupCode)
        #expect(await desk.waiting.count == 1)
        try await desk.answer(question.id, "xyz")
        #expect(try await answer == "xyz")
    }

    @Test func decliningCancelsWhatWasAskedFor() async throws {
        let desk = Self.desk()
        async let answer = Self.ask(desk)
        try await desk.decline(await Self.firstQuestion(of: desk).id)
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
        #expect(await desk.waiting.isEmpty)
    }

    @Test func aQuestionEndsWithTheTaskThatAskedIt() async throws {
        let desk = Self.desk()
        let asking = Task { try await Self.ask(desk) }
        _ = await Self.firstQuestion(of: desk)
        asking.cancel()
        await #expect(throws: HubError.self) { try await asking.value }
        #expect(await desk.waiting.isEmpty)
    }

    @Test func closedAndUnknownQuestionsCannotBeAnswered() async throws {
        let desk = Self.desk()
        await #expect(throws: HubError.self) { try await desk.answer(UUID(), "abc") }
        await #expect(throws: HubError.self) { try await desk.decline(UUID()) }
    }
}
