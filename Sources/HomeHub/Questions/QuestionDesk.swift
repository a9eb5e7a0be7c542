import Foundation
import HubAPI
import Logging

/// Puts questions to whoever can answer, and waits for an answer, a refusal or the end of the time.
actor QuestionDesk {
    /// Refuses an answer that is of no use, with a reason for the person who gave it.
    typealias Check = @Sendable (String) throws(HubError) -> Void

    private struct Open {
        var question: Question
        var check: Check
        var continuation: CheckedContinuation<Result<String, HubError>, Never>
        var expiry: Task<Void, Never>
    }

    private let sessions: SessionRegistry
    private let timeout: Duration
    private let now: @Sendable () -> Date
    private let log: Logger
    private var open: [UUID: Open] = [:]

    init(sessions: SessionRegistry, timeout: Duration, now: @escaping @Sendable () -> Date, log: Logger) {
        self.sessions = sessions
        self.timeout = timeout
        self.now = now
        self.log = log
    }

    /// Asks, and waits. Ends with ``HubError/Code/cancelled`` when a person declines, nobody answers in time, or the
    /// asking task is cancelled.
    func ask(
        _ kind: Question.Kind,
        _ text: String,
        home: UUID,
        deviceID: String?,
        app: String,
        check: @escaping Check
    ) async throws(HubError) -> String {
        let id = UUID()
        let question = Question(
            id: id,
            kind: kind,
            text: text,
            home: home,
            deviceID: deviceID,
            app: app,
            expires: now().addingTimeInterval(timeout / .seconds(1))
        )
        let answer = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let expiry = Task { [timeout, weak self] in
                    try? await Task.sleep(for: timeout)
                    guard !Task.isCancelled else { return }
                    await self?.expire(id)
                }
                open[id] = Open(question: question, check: check, continuation: continuation, expiry: expiry)
                tellOfQuestion(in: home) { .asked(question) }
                if Task.isCancelled { close(id, .failure(Self.abandoned)) }
            }
        } onCancel: {
            Task { await self.close(id, .failure(Self.abandoned)) }
        }
        return try answer.get()
    }

    /// The questions that wait for somebody like the session's user, oldest first.
    func waiting(for session: HubSession) -> [Question] {
        open.values.map(\.question).filter { session.mayEdit($0.home) }.sorted { $0.expires < $1.expires }
    }

    /// Answers a question. An answer that is of no use is refused and leaves the question open.
    func answer(_ id: UUID, _ answer: String, from session: HubSession) throws(HubError) {
        try question(id, for: session).check(answer)
        close(id, .success(answer))
    }

    /// Declines a question.
    func decline(_ id: UUID, from session: HubSession) throws(HubError) {
        _ = try question(id, for: session)
        close(id, .failure(HubError(.cancelled, "The question was declined.")))
    }

    private func question(_ id: UUID, for session: HubSession) throws(HubError) -> Open {
        guard let question = open[id], session.mayEdit(question.question.home) else { throw Self.noSuchQuestion }
        return question
    }

    /// Questions are about a home's layout, so they go to those who may change it.
    private func tellOfQuestion(in home: UUID, _ event: () -> HubEvent) {
        sessions.tell { $0.watchesQuestions && $0.mayEdit(home) ? event() : nil }
    }

    /// Ends all questions.
    func closeAll() {
        for id in open.keys { close(id, .failure(Self.abandoned)) }
    }

    private func expire(_ id: UUID) {
        guard let question = open[id]?.question else { return }
        let reason = "Nobody answered within \(timeout / .seconds(1)) seconds; see “hearth questions”."
        log.notice("A question ended without an answer.", metadata: ["question": "\(question.text)"])
        close(id, .failure(HubError(.cancelled, reason)))
    }

    private func close(_ id: UUID, _ result: Result<String, HubError>) {
        guard let closed = open.removeValue(forKey: id) else { return }
        closed.expiry.cancel()
        closed.continuation.resume(returning: result)
        tellOfQuestion(in: closed.question.home) { .questionClosed(id) }
    }

    private static let abandoned = HubError(.cancelled, "What asked the question has ended.")
    private static let noSuchQuestion = HubError(
        HubError.Code(rawValue: "notFound"),
        "That question is not open: it was answered, declined or has expired."
    )
}
