import Foundation
import HomeModel
import HubAPI
import Logging
import class HomeKitTesting.ManualClock
import Testing

@testable import HomeHub

struct QuestionTests {
    private static func manager(clock: any Clock<Duration> = ContinuousClock()) -> QuestionManager {
        QuestionManager(
            activities: ActivityStream(),
            timeout: .seconds(60),
            now: { Date(timeIntervalSince1970: 1_000) },
            clock: clock,
            sharing: QuestionSharing(over: LeaderLine()),
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
            router: MethodRouter(owner: UUID()),
            ledger: ReplyCache(store: nil),
            watch: RequestObserver(methods: [], metrics: .none, log: Logger(label: "test")),
            deliver: { _ in },
            onReturn: { _ in },
            onClose: { _ in }
        )
        session.roles[home] = role
        return session
    }

    private static func ask(_ manager: QuestionManager, for asker: HubSession = owner) async throws(HubError) -> String
    {
        let draft = QuestionDraft(kind: .setupCode, text: "Which code?", audience: .editors(of: home))
        return try await manager.answer(to: draft, for: asker) { (answer) async throws(HubError) in
            guard answer.count == 3 else { throw HubError(.invalidSetupCode, "Three characters, please.") }
        }
    }

    /// Returns the first open question. Asking and answering run concurrently.
    private static func firstQuestion(of manager: QuestionManager) async -> Question {
        while true {
            if let question = await manager.waiting(for: Self.owner).first { return question }
            await Task.yield()
        }
    }

    @Test func anAnswerEndsTheWait() async throws {
        let manager = Self.manager()
        async let answer = Self.ask(manager)
        let question = await Self.firstQuestion(of: manager)
        #expect(question.text == "Which code?")
        #expect(question.expires == Date(timeIntervalSince1970: 1_060))
        try await manager.answer(AnswerQuestion(id: question.id, answer: "abc"), from: Self.owner)
        #expect(try await answer == "abc")
        #expect(await manager.waiting(for: Self.owner).isEmpty)
    }

    @Test func aUselessAnswerIsRefusedAndTheQuestionStaysOpen() async throws {
        let manager = Self.manager()
        async let answer = Self.ask(manager)
        let question = await Self.firstQuestion(of: manager)
        let refusal = await #expect(throws: HubError.self) {
            try await manager.answer(AnswerQuestion(id: question.id, answer: "abcd"), from: Self.owner)
        }
        #expect(refusal?.code == .invalidSetupCode)
        #expect(await manager.waiting(for: Self.owner).count == 1)
        try await manager.answer(AnswerQuestion(id: question.id, answer: "xyz"), from: Self.owner)
        #expect(try await answer == "xyz")
    }

    @Test func aQuestionThatIsRenewedWaitsAsLongAgain() async throws {
        let clock = ManualClock()
        let manager = Self.manager(clock: clock)
        async let answer = Self.ask(manager)
        let question = await Self.firstQuestion(of: manager)
        await clock.waitForSleepers(1)
        clock.move(by: .seconds(50))
        let expires = try await manager.renew(question.id, from: Self.owner)
        #expect(expires == Date(timeIntervalSince1970: 1_060))
        await clock.waitForSleepers(2)
        clock.move(by: .seconds(50))
        #expect(await manager.waiting(for: Self.owner).map(\.id) == [question.id])
        let guest = Self.session(.guest)
        await #expect(throws: HubError.self) { try await manager.renew(question.id, from: guest) }
        try await manager.answer(AnswerQuestion(id: question.id, answer: "abc"), from: Self.owner)
        #expect(try await answer == "abc")
        await #expect(throws: HubError.self) { try await manager.renew(question.id, from: Self.owner) }
    }

    @Test func decliningCancelsWhatWasAskedFor() async throws {
        let manager = Self.manager()
        async let answer = Self.ask(manager)
        try await manager.decline(await Self.firstQuestion(of: manager).id, from: Self.owner)
        do {
            _ = try await answer
            Issue.record("a declined question had an answer")
        } catch {
            #expect((error as? HubError)?.code == .cancelled)
        }
    }

    @Test func aQuestionThatNobodyAnswersEndsWhenTheClockSaysSo() async throws {
        let clock = ManualClock()
        let manager = Self.manager(clock: clock)
        let asking = Task { try await Self.ask(manager) }
        await clock.waitForSleepers(1)
        clock.move(by: .seconds(59))
        #expect(await manager.waiting(for: Self.owner).count == 1)
        clock.move(by: .seconds(1))
        let error = await #expect(throws: HubError.self) { try await asking.value }
        #expect(error?.code == .cancelled)
        #expect(await manager.waiting(for: Self.owner).isEmpty)
    }

    @Test func aQuestionEndsWithTheClientForWhichItIsAsked() async throws {
        let manager = Self.manager()
        let (asker, other) = (Self.session(.owner), Self.session(.owner))
        let asking = Task { try await Self.ask(manager, for: asker) }
        async let answer = Self.ask(manager, for: other)
        while await manager.waiting(for: Self.owner).count < 2 { await Task.yield() }
        asker.close()
        await manager.sessionDidEnd(asker.id)
        let error = await #expect(throws: HubError.self) { try await asking.value }
        #expect(error?.code == .cancelled)
        // A client whose session is closed can't ask.
        await #expect(throws: HubError.self) { try await Self.ask(manager, for: asker) }
        let left = try #require(await manager.waiting(for: Self.owner).first)
        try await manager.answer(AnswerQuestion(id: left.id, answer: "abc"), from: Self.owner)
        #expect(try await answer == "abc")
    }

    @Test func fieldsTakeTheirChoicesAndWhatWasSuggested() async throws {
        let manager = Self.manager()
        let draft = QuestionDraft(
            kind: .init(rawValue: "test"),
            text: "Where?",
            audience: .person(Self.owner.user),
            fields: [
                QuestionField("name", "Name"),
                QuestionField("room", "Room", suggestion: "1", choices: [.init("1", "Kitchen"), .init("2", "Bath")]),
                QuestionField("note", "Note", suggestion: "none"),
            ]
        )
        let asking = Task { try await manager.answers(to: draft, for: Self.owner) }
        let question = await Self.firstQuestion(of: manager)
        #expect(question.home == nil)
        let refused: [[String: String]] = [
            [:], ["room": "2"], ["name": ""], ["name": "Lamp", "room": "Attic"], ["name": "Lamp", "colour": "red"],
        ]
        for answers in refused {
            let error = await #expect(throws: HubError.self) {
                try await manager.answer(AnswerQuestion(id: question.id, answers: answers), from: Self.owner)
            }
            #expect(error?.code == .invalidAnswer, "\(answers)")
        }
        #expect(await manager.waiting(for: Self.session(.owner)).isEmpty)
        let answer = AnswerQuestion(id: question.id, answer: "Lamp", answers: ["room": "bath", "note": ""])
        try await manager.answer(answer, from: Self.owner)
        #expect(try await asking.value.values == ["name": "Lamp", "room": "2", "note": "none"])
    }

    @Test func aQuestionEndsWithTheTaskThatAskedIt() async throws {
        let manager = Self.manager()
        let asking = Task { try await Self.ask(manager) }
        _ = await Self.firstQuestion(of: manager)
        asking.cancel()
        await #expect(throws: HubError.self) { try await asking.value }
        #expect(await manager.waiting(for: Self.owner).isEmpty)
    }

    @Test func closedAndUnknownQuestionsCannotBeAnswered() async throws {
        let manager = Self.manager()
        await #expect(throws: HubError.self) {
            try await manager.answer(AnswerQuestion(id: UUID(), answer: "abc"), from: Self.owner)
        }
        await #expect(throws: HubError.self) { try await manager.decline(UUID(), from: Self.owner) }
    }

    @Test func whoMayNotChangeTheHomeHearsOfNoQuestionAndAnswersNone() async throws {
        let manager = Self.manager()
        let guest = Self.session(.guest)
        async let answer = Self.ask(manager)
        let question = await Self.firstQuestion(of: manager)
        #expect(await manager.waiting(for: guest).isEmpty)
        let answering = await #expect(throws: HubError.self) {
            try await manager.answer(AnswerQuestion(id: question.id, answer: "abc"), from: guest)
        }
        let declining = await #expect(throws: HubError.self) { try await manager.decline(question.id, from: guest) }
        let unknown = await #expect(throws: HubError.self) { try await manager.decline(UUID(), from: Self.owner) }
        #expect(answering == unknown)
        #expect(declining == unknown)
        try await manager.answer(AnswerQuestion(id: question.id, answer: "abc"), from: Self.owner)
        #expect(try await answer == "abc")
    }
}
