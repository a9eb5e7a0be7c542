import Foundation
import HomeModel
import HubAPI
import Logging

/// Puts questions to whoever can answer, and waits for an answer, a refusal or the end of the time.
actor QuestionManager: HubPart {
    /// Refuses answers that are of no use, with a reason for the person who gave them.
    typealias Check = @Sendable (_ answers: [String: String]) async throws(HubError) -> Void

    private struct Open {
        var question: Question
        var inquiry: QuestionDraft
        var asker: (id: UUID, user: UUID)
        var size: Int
        var check: Check
        var continuation: CheckedContinuation<Result<QuestionAnswers, HubError>, Never>
        var expiry: Task<Void, Never>
    }

    private let activities: ActivityStream
    private let timeout: Duration
    private let now: @Sendable () -> Date
    private let clock: any Clock<Duration>
    private let log: Logger
    private var open: [UUID: Open] = [:]
    /// In the order in which they were asked.
    private var order: [UUID] = []

    /// - Parameters:
    ///   - timeout: How long a question waits for an answer.
    ///   - now: The time that questions show.
    ///   - clock: What the wait goes by.
    init(
        activities: ActivityStream,
        timeout: Duration,
        now: @escaping @Sendable () -> Date,
        clock: any Clock<Duration>,
        log: Logger
    ) {
        self.activities = activities
        self.timeout = timeout
        self.now = now
        self.clock = clock
        self.log = log
    }

    /// Asks a question of one field, and waits for its answer.
    ///
    /// - Throws: As ``answers(to:for:check:)``.
    func answer(
        to inquiry: QuestionDraft,
        for asker: HubSession,
        check: @escaping @Sendable (String) async throws(HubError) -> Void = { _ in }
    ) async throws(HubError) -> String {
        let field = inquiry.fields.first?.id ?? ""
        let answers = try await answers(to: inquiry, for: asker) { (answers) async throws(HubError) in
            try await check(answers[field] ?? "")
        }
        return answers.values[field] ?? ""
    }

    /// Asks, and waits for the answer to every field, by the fields' ids.
    ///
    /// - Parameters:
    ///   - asker: For whose client it is asked: the question ends with it.
    ///   - check: Refuses answers that are of no use; the question stays open then.
    /// - Throws: ``HubError/Code/cancelled`` when nobody answers in time or what asked has ended; the inquiry's refusal when
    ///   a person declines; ``HubError/Code/tooManyRequests`` if the asker has too many open, and
    ///   ``HubError/Code/notAllowedNow`` if all together have.
    func answers(
        to inquiry: QuestionDraft,
        for asker: HubSession,
        check: @escaping Check = { _ in }
    ) async throws(HubError) -> QuestionAnswers {
        try checkRoom(for: inquiry, of: asker)
        let id = UUID()
        let question = Question(
            id: id,
            kind: inquiry.kind,
            text: inquiry.text,
            home: inquiry.audience.home,
            deviceID: inquiry.deviceID,
            app: asker.caller.app,
            fields: inquiry.fields,
            expires: now().addingTimeInterval(timeout / .seconds(1))
        )
        let answers = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let expiry = Task { [timeout, clock, weak self] in
                    try? await clock.sleep(for: timeout)
                    guard !Task.isCancelled else { return }
                    await self?.expire(id)
                }
                open[id] = Open(
                    question: question,
                    inquiry: inquiry,
                    asker: (asker.id, asker.user),
                    size: inquiry.size,
                    check: check,
                    continuation: continuation,
                    expiry: expiry
                )
                order.append(id)
                log.debug("A question is asked.", metadata: Self.metadata(question))
                activities.publish(.asked(question, inquiry.audience))
                // Its end may have come before the question was there to be ended.
                if Task.isCancelled || asker.isClosed { close(id, .failure(Self.abandoned)) }
            }
        } onCancel: {
            Task { await self.close(id, .failure(Self.abandoned)) }
        }
        return try answers.get()
    }

    private func checkRoom(for inquiry: QuestionDraft, of asker: HubSession) throws(HubError) {
        let size = inquiry.size
        let own = open.values.filter { $0.asker.id == asker.id }
        let ofApp = open.values.count { $0.asker.user == asker.user && $0.question.app == asker.caller.app }
        guard own.count < SessionLimits.openQuestions, ofApp < SessionLimits.openQuestionsPerApp,
            own.reduce(size, { $0 + $1.size }) <= SessionLimits.openQuestionBytes
        else {
            let limits = "\(SessionLimits.openQuestions) questions, of \(SessionLimits.openQuestionBytes) bytes"
            let ofAll = "and \(SessionLimits.openQuestionsPerApp) on all connections of its app"
            throw HubError(.tooManyRequests, "A client has at most \(limits), open, \(ofAll). Wait for answers.")
        }
        guard open.count < SessionLimits.openQuestionsInAll,
            open.values.reduce(size, { $0 + $1.size }) <= SessionLimits.openQuestionBytesInAll
        else {
            throw HubError(
                .notAllowedNow,
                "\(open.count) questions wait for answers. Try again when some are answered."
            )
        }
    }

    /// The questions that wait for somebody like the session's user, oldest first.
    func waiting(for session: HubSession) -> [Question] {
        order.compactMap { open[$0] }.filter { $0.inquiry.audience.includes(session) }.map(\.question)
    }

    /// How many questions wait.
    var count: Int { open.count }

    /// Counts the open questions.
    func report(in statistics: inout HubStatistics) async { statistics.questions = open.count }

    /// Answers a question. Answers that are of no use are refused and leave the question open.
    func answer(_ parameters: AnswerQuestion, from session: HubSession) async throws(HubError) {
        let question = try question(parameters.id, for: session)
        var given = parameters.answers ?? [:]
        if let first = question.inquiry.fields.first, let answer = parameters.answer { given[first.id] = answer }
        let answers = try question.inquiry.answers(given)
        try await question.check(answers)
        // Somebody else may have been quicker while the answers were looked at.
        guard open[parameters.id] != nil else { throw Self.noSuchQuestion }
        log.debug("A question was answered.", metadata: Self.metadata(question.question))
        close(parameters.id, .success(QuestionAnswers(values: answers, user: session.user)))
    }

    /// Declines a question.
    func decline(_ id: UUID, from session: HubSession) throws(HubError) {
        let question = try question(id, for: session)
        log.debug("A question was declined.", metadata: Self.metadata(question.question))
        close(id, .failure(question.inquiry.refusal))
    }

    private func question(_ id: UUID, for session: HubSession) throws(HubError) -> Open {
        guard let question = open[id], question.inquiry.audience.includes(session) else { throw Self.noSuchQuestion }
        return question
    }

    /// Ends the questions that were asked for a session.
    func sessionDidEnd(_ asker: UUID) async {
        for (id, question) in open where question.asker.id == asker { close(id, .failure(Self.abandoned)) }
    }

    /// Ends questions that are answered by other means.
    func withdraw(where isMeant: (Question, QuestionDraft.Audience) -> Bool) {
        for (id, question) in open where isMeant(question.question, question.inquiry.audience) {
            close(id, .failure(Self.abandoned))
        }
    }

    /// Ends all questions.
    func stop() async {
        for id in open.keys { close(id, .failure(Self.abandoned)) }
    }

    private func expire(_ id: UUID) {
        guard let question = open[id]?.question else { return }
        let reason = "Nobody answered within \(timeout / .seconds(1)) seconds; see “hearth questions”."
        log.notice("A question ended without an answer.", metadata: Self.metadata(question))
        close(id, .failure(HubError(.cancelled, reason)))
    }

    private func close(_ id: UUID, _ result: Result<QuestionAnswers, HubError>) {
        guard let closed = open.removeValue(forKey: id) else { return }
        order.removeAll { $0 == id }
        closed.expiry.cancel()
        closed.continuation.resume(returning: result)
        activities.publish(.questionClosed(id, closed.inquiry.audience))
    }

    /// What the log tells of a question; never an answer.
    private static func metadata(_ question: Question) -> Logger.Metadata {
        ["kind": "\(question.kind.rawValue)", LogKey.app: "\(question.app)", "question": "\(question.text)"]
    }

    private static let abandoned = HubError(.cancelled, "What asked the question has ended.")
    private static let noSuchQuestion = HubError(
        HubError.Code(rawValue: "notFound"),
        "That question is not open: it was answered, declined or has expired."
    )
}

extension QuestionDraft.Audience {
    /// The home whose people they are, if they are a home's.
    fileprivate var home: UUID? {
        if case .editors(let home) = self { home } else { nil }
    }

    /// Whether the session's user is one of them.
    func includes(_ session: HubSession) -> Bool {
        switch self {
        case .editors(let home): session.mayEdit(home)
        case .person(let user): session.user == user
        }
    }
}
