import Foundation
import HomeModel
import HubAPI
import Logging
import class HomeKitTesting.ManualClock
import Testing

@testable import HomeHub

struct QuestionTests {
    private static func desk(clock: any Clock<Duration> = ContinuousClock()) -> QuestionManager {
        QuestionManager(
            activities: ActivityStream(),
            timeout: .seconds(60),
            now: { Date(timeIntervalSince1970: 1_000) },
            clock: clock,
            log: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
        )
    }

    private static let home = UUID()

    /// A session of a user who can change the home.
    private static let owner = session(.owner)

    private static func session(_ role: Role) -> HubSession {
        let session = HubSession(
            as: SessionAuthority(user: UUID(), device: UUID(), client: .person),
            aliases: AliasKey([0]),
            router: MethodRouter(),
            ledger: ReplyCache(store: nil),
            watch: RequestObserver(methods: [], metrics: .none, log: Logger(label: "test")),
            deliver: { _ in },
            onReturn: { _ in },
            onClose: { _ in }
        )
        session.roles[home] = role
        return session
    }

    private static func ask(_ desk: QuestionManager, for asker: HubSession = owner) async throws(HubError) -> String {
        let inquiry = QuestionDraft(kind: .setupCode, text: "Which code?", audience: .editors(of: home))
        return try await desk.answer(to: inquiry, for: asker) { (answer) async throws(HubError) in
            guard answer.count == 3 else { throw HubError(.invalidSetupCode, "Three characters, please.") }
        }
    }

    /// Returns the first open question. Asking and answering run concurrently.
    private static func firstQuestion(of desk: QuestionManager) async -> Question {
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
        try await desk.answer(AnswerQuestion(id: question.id, answer: "abc"), from: Self.owner)
        #expect(try await answer == "abc")
        #expect(await desk.waiting(for: Self.owner).isEmpty)
    }

    @Test func aUselessAnswerIsRefusedAndTheQuestionStaysOpen() async throws {
        let desk = Self.desk()
        async let answer = Self.ask(desk)
        let question = await Self.firstQuestion(of: desk)
        let refusal = await #expect(throws: HubError.self) {
            try await desk.answer(AnswerQuestion(id: question.id, answer: "abcd"), from: Self.owner)
        }
        #expect(refusal?.code == .invalidSetupCode)
        #expect(await desk.waiting(for: Self.owner).count == 1)
        try await desk.answer(AnswerQuestion(id: question.id, answer: "xyz"), from: Self.owner)
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

    @Test func aQuestionThatNobodyAnswersEndsWhenTheClockSaysSo() async throws {
        let clock = ManualClock()
        let desk = Self.desk(clock: clock)
        let asking = Task { try await Self.ask(desk) }
        await clock.waitForSleepers(1)
        clock.move(by: .seconds(59))
        #expect(await desk.waiting(for: Self.owner).count == 1)
        clock.move(by: .seconds(1))
        let error = await #expect(throws: HubError.self) { try await asking.value }
        #expect(error?.code == .cancelled)
        #expect(await desk.waiting(for: Self.owner).isEmpty)
    }

    @Test func aQuestionEndsWithTheClientForWhichItIsAsked() async throws {
        let desk = Self.desk()
        let (asker, other) = (Self.session(.owner), Self.session(.owner))
        let asking = Task { try await Self.ask(desk, for: asker) }
        async let answer = Self.ask(desk, for: other)
        while await desk.waiting(for: Self.owner).count < 2 { await Task.yield() }
        asker.close()
        await desk.sessionDidEnd(asker.id)
        let error = await #expect(throws: HubError.self) { try await asking.value }
        #expect(error?.code == .cancelled)
        // A client whose session is closed can't ask.
        await #expect(throws: HubError.self) { try await Self.ask(desk, for: asker) }
        let left = try #require(await desk.waiting(for: Self.owner).first)
        try await desk.answer(AnswerQuestion(id: left.id, answer: "abc"), from: Self.owner)
        #expect(try await answer == "abc")
    }

    @Test func fieldsTakeTheirChoicesAndWhatWasSuggested() async throws {
        let desk = Self.desk()
        let inquiry = QuestionDraft(
            kind: .init(rawValue: "test"),
            text: "Where?",
            audience: .person(Self.owner.user),
            fields: [
                QuestionField("name", "Name"),
                QuestionField("room", "Room", suggestion: "1", choices: [.init("1", "Kitchen"), .init("2", "Bath")]),
                QuestionField("note", "Note", suggestion: "none"),
            ]
        )
        let asking = Task { try await desk.answers(to: inquiry, for: Self.owner) }
        let question = await Self.firstQuestion(of: desk)
        #expect(question.home == nil)
        let refused: [[String: String]] = [
            [:], ["room": "2"], ["name": ""], ["name": "Lamp", "room": "Attic"], ["name": "Lamp", "colour": "red"],
        ]
        for answers in refused {
            let error = await #expect(throws: HubError.self) {
                try await desk.answer(AnswerQuestion(id: question.id, answers: answers), from: Self.owner)
            }
            #expect(error?.code == .invalidAnswer, "\(answers)")
        }
        #expect(await desk.waiting(for: Self.session(.owner)).isEmpty)
        let answer = AnswerQuestion(id: question.id, answer: "Lamp", answers: ["room": "bath", "note": ""])
        try await desk.answer(answer, from: Self.owner)
        #expect(try await asking.value.values == ["name": "Lamp", "room": "2", "note": "none"])
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
        await #expect(throws: HubError.self) {
            try await desk.answer(AnswerQuestion(id: UUID(), answer: "abc"), from: Self.owner)
        }
        await #expect(throws: HubError.self) { try await desk.decline(UUID(), from: Self.owner) }
    }

    @Test func whoMayNotChangeTheHomeHearsOfNoQuestionAndAnswersNone() async throws {
        let desk = Self.desk()
        let guest = Self.session(.guest)
        async let answer = Self.ask(desk)
        let question = await Self.firstQuestion(of: desk)
        #expect(await desk.waiting(for: guest).isEmpty)
        let answering = await #expect(throws: HubError.self) {
            try await desk.answer(AnswerQuestion(id: question.id, answer: "abc"), from: guest)
        }
        let declining = await #expect(throws: HubError.self) { try await desk.decline(question.id, from: guest) }
        let unknown = await #expect(throws: HubError.self) { try await desk.decline(UUID(), from: Self.owner) }
        #expect(answering == unknown)
        #expect(declining == unknown)
        try await desk.answer(AnswerQuestion(id: question.id, answer: "abc"), from: Self.owner)
        #expect(try await answer == "abc")
    }
}
