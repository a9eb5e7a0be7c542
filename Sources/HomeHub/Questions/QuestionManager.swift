import Foundation
import HomeModel
import HubAPI
import Logging

/// Sends questions to the clients that can answer them, and waits for an answer, a refusal or the timeout.
actor QuestionManager: HubPart {
    /// A closure that rejects invalid answers, with a reason for the user.
    typealias Check = @Sendable (_ answers: [String: String]) async throws(HubError) -> Void

    /// A closure that receives the answers, or the reason why there are none.
    typealias Finish = @Sendable (Result<QuestionAnswers, HubError>) -> Void

    private struct Open {
        var question: Question
        var draft: QuestionDraft
        /// The session that asks; `nil` for the hub itself.
        var asker: (id: UUID, user: UUID)?
        var size: Int
        /// Whether the other hub's clients are asked as well.
        var isShared = true
        var check: Check
        var finish: Finish
        var expiry: Task<Void, Never>
    }

    private let activities: ActivityStream
    private let timeout: Duration
    private let now: @Sendable () -> Date
    private let clock: any Clock<Duration>
    private let log: Logger
    /// The other hub of the homes, whose clients can answer as well.
    private let sharing: QuestionSharing
    private var open: [UUID: Open] = [:]
    /// The IDs of the open questions, in the order in which they were asked.
    private var order: [UUID] = []
    /// The questions that the other hub asks, and their order.
    private var others: [UUID: (question: Question, audience: QuestionDraft.Audience)] = [:]
    private var othersOrder: [UUID] = []

    /// Creates the manager.
    ///
    /// - Parameters:
    ///   - timeout: The time that a question waits for an answer.
    ///   - now: A closure that returns the hub's time, for questions' expiry dates.
    ///   - clock: The clock that the timeout uses.
    ///   - sharing: The other hub of the homes.
    init(
        activities: ActivityStream,
        timeout: Duration,
        now: @escaping @Sendable () -> Date,
        clock: any Clock<Duration>,
        sharing: QuestionSharing,
        log: Logger
    ) {
        self.sharing = sharing
        self.activities = activities
        self.timeout = timeout
        self.now = now
        self.clock = clock
        self.log = log
    }

    /// Asks a question with one field, and returns its answer.
    ///
    /// - Throws: As ``answers(to:for:check:)``.
    func answer(
        to draft: QuestionDraft,
        for asker: HubSession,
        check: @escaping @Sendable (String) async throws(HubError) -> Void = { _ in }
    ) async throws(HubError) -> String {
        let field = draft.fields.first?.id ?? ""
        let answers = try await answers(to: draft, for: asker) { (answers) async throws(HubError) in
            try await check(answers[field] ?? "")
        }
        return answers.values[field] ?? ""
    }

    /// Asks a question, and returns the answer to each field.
    ///
    /// - Parameters:
    ///   - asker: The session that caused the question. The question ends when the session closes.
    ///   - check: A closure that rejects invalid answers; the question then stays open.
    /// - Throws: ``HubError/Code/cancelled`` if there is no answer in time or the asker's session or request ends; the
    ///   draft's refusal if a user declines; ``HubError/Code/tooManyRequests`` if the asker has too many open
    ///   questions; ``HubError/Code/notAllowedNow`` if all askers together have.
    func answers(
        to draft: QuestionDraft,
        for asker: HubSession,
        check: @escaping Check = { _ in }
    ) async throws(HubError) -> QuestionAnswers {
        try checkRoom(for: draft, of: asker)
        let id = UUID()
        let question = Question(
            id: id,
            kind: draft.kind,
            text: draft.text,
            home: draft.audience.home,
            deviceID: draft.deviceID,
            app: asker.caller.app,
            fields: draft.fields,
            expires: now().addingTimeInterval(timeout / .seconds(1)),
            reference: draft.reference,
            triesLeft: draft.triesLeft,
            digits: draft.digits,
            link: draft.link,
            pageLinks: draft.pageLinks
        )
        let answers = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                open[id] = Open(
                    question: question,
                    draft: draft,
                    asker: (asker.id, asker.user),
                    size: draft.size,
                    check: check,
                    finish: { continuation.resume(returning: $0) },
                    expiry: expiry(of: id, after: timeout)
                )
                order.append(id)
                log.debug("A question is asked.", metadata: Self.metadata(question))
                publish(.asked(question, draft.audience))
                // The task or the session may have ended before the question was registered.
                if Task.isCancelled || asker.isClosed { close(id, .failure(Self.abandoned)) }
            }
        } onCancel: {
            Task { await self.close(id, .failure(Self.abandoned)) }
        }
        return try answers.get()
    }

    /// Asks a question for the hub itself, which doesn't end with a session and can last for days.
    ///
    /// - Parameters:
    ///   - app: The app that the question names.
    ///   - expires: When the question ends without an answer, in the hub's time.
    ///   - isShared: Whether the other hub's clients are asked as well. They aren't if that hub asks the same itself.
    ///   - finish: A closure that receives the answers, once.
    /// - Returns: The ID of the question; `nil` if too many questions are open.
    func post(
        _ draft: QuestionDraft,
        from app: String,
        until expires: Date,
        sharing isShared: Bool = true,
        then finish: @escaping Finish
    ) -> UUID? {
        let size = draft.size
        guard open.count < SessionLimits.openQuestionsInAll,
            open.values.reduce(size, { $0 + $1.size }) <= SessionLimits.openQuestionBytesInAll
        else {
            log.warning(
                "There are too many open questions for another one.",
                metadata: ["kind": "\(draft.kind.rawValue)"]
            )
            return nil
        }
        let id = UUID()
        let question = Question(
            id: id,
            kind: draft.kind,
            text: draft.text,
            home: draft.audience.home,
            deviceID: draft.deviceID,
            app: app,
            fields: draft.fields,
            expires: expires,
            reference: draft.reference,
            digits: draft.digits,
            link: draft.link,
            pageLinks: draft.pageLinks
        )
        open[id] = Open(
            question: question,
            draft: draft,
            asker: nil,
            size: size,
            isShared: isShared,
            check: { _ in },
            finish: finish,
            expiry: expiry(of: id, after: .seconds(max(0, expires.timeIntervalSince(now()))))
        )
        order.append(id)
        publish(.asked(question, draft.audience), sharing: isShared)
        return id
    }

    /// Closes a question of the hub's own.
    func withdraw(_ id: UUID) {
        close(id, .failure(Self.abandoned))
    }

    private func checkRoom(for draft: QuestionDraft, of asker: HubSession) throws(HubError) {
        let size = draft.size
        let own = open.values.filter { $0.asker?.id == asker.id }
        let ofApp = open.values.count { $0.asker?.user == asker.user && $0.question.app == asker.caller.app }
        guard own.count < SessionLimits.openQuestions, ofApp < SessionLimits.openQuestionsPerApp,
            own.reduce(size, { $0 + $1.size }) <= SessionLimits.openQuestionBytes
        else {
            let limits =
                "\(SessionLimits.openQuestions) open questions of \(SessionLimits.openQuestionBytes) bytes in total"
            let ofAll = "and \(SessionLimits.openQuestionsPerApp) on all connections of its app"
            throw HubError(.tooManyRequests, "A client can have at most \(limits), \(ofAll). Wait for answers.")
        }
        guard open.count < SessionLimits.openQuestionsInAll,
            open.values.reduce(size, { $0 + $1.size }) <= SessionLimits.openQuestionBytesInAll
        else {
            throw HubError(
                .notAllowedNow,
                "\(open.count) questions are waiting for answers. Try again when some have been answered."
            )
        }
    }

    /// Returns the open questions that the session's user can answer, oldest first.
    func waiting(for session: HubSession) -> [Question] {
        let own = order.compactMap { open[$0] }.filter { $0.draft.audience.includes(session) }.map(\.question)
        return own + othersOrder.compactMap { others[$0] }.filter { $0.audience.includes(session) }.map(\.question)
    }

    /// The number of open questions.
    var count: Int { open.count }

    /// Counts the open questions.
    func report(in statistics: inout HubStatistics) async { statistics.questions = open.count }

    /// Answers a question. Invalid answers are rejected and leave the question open.
    func answer(_ parameters: AnswerQuestion, from session: HubSession) async throws(HubError) {
        if isOthers(parameters.id, for: session) {
            _ = try await sharing.ask(HubMethods.answerQuestion, parameters, for: session)
            return
        }
        let question = try question(parameters.id, for: session)
        var input = parameters.answers ?? [:]
        if let first = question.draft.fields.first, let answer = parameters.answer { input[first.id] = answer }
        let answers = try question.draft.fields.answers(input)
        try await question.check(answers)
        // Another client may have answered during the check.
        guard open[parameters.id] != nil else { throw Self.noSuchQuestion }
        log.debug("A question was answered.", metadata: Self.metadata(question.question))
        close(parameters.id, .success(QuestionAnswers(values: answers, user: session.user, caller: session.person)))
    }

    /// Restarts the time that a question waits. The asker's session still ends it.
    ///
    /// - Returns: When the question expires.
    func renew(_ id: UUID, from session: HubSession) async throws(HubError) -> Date {
        if isOthers(id, for: session) {
            return try await sharing.ask(HubMethods.renewQuestion, QuestionTarget(id: id), for: session).expires
        }
        var question = try question(id, for: session)
        // The hub's own questions last longer anyway.
        guard question.asker != nil else { return question.question.expires }
        question.expiry.cancel()
        question.question.expires = now().addingTimeInterval(timeout / .seconds(1))
        question.expiry = expiry(of: id, after: timeout)
        open[id] = question
        sharing.tell(.asked(question.question, question.draft.audience))
        return question.question.expires
    }

    private func expiry(of id: UUID, after delay: Duration) -> Task<Void, Never> {
        Task { [clock, weak self] in
            try? await clock.sleep(for: delay)
            guard !Task.isCancelled else { return }
            await self?.expire(id)
        }
    }

    /// Declines a question.
    func decline(_ id: UUID, from session: HubSession) async throws(HubError) {
        if isOthers(id, for: session) {
            _ = try await sharing.ask(HubMethods.declineQuestion, QuestionTarget(id: id), for: session)
            return
        }
        let question = try question(id, for: session)
        log.debug("A question was declined.", metadata: Self.metadata(question.question))
        close(id, .failure(question.draft.refusal))
    }

    private func question(_ id: UUID, for session: HubSession) throws(HubError) -> Open {
        guard let question = open[id], question.draft.audience.includes(session) else { throw Self.noSuchQuestion }
        return question
    }

    /// Closes a session's questions.
    func sessionDidEnd(_ asker: UUID) async {
        for (id, question) in open where question.asker?.id == asker { close(id, .failure(Self.abandoned)) }
    }

    /// Closes questions that were answered in another way.
    func withdraw(where matches: (Question, QuestionDraft.Audience) -> Bool) {
        for (id, question) in open where matches(question.question, question.draft.audience) {
            close(id, .failure(Self.abandoned))
        }
    }

    /// Closes all questions.
    func stop() async {
        for id in open.keys { close(id, .failure(Self.abandoned)) }
    }

    private func expire(_ id: UUID) {
        guard let expired = open[id] else { return }
        let question = expired.question
        guard expired.asker != nil else { return close(id, .failure(Self.abandoned)) }
        let reason =
            "Nobody answered within \(timeout / .seconds(1)) seconds. Try again, and answer with “hearth questions”."
        log.notice("A question ended without an answer.", metadata: Self.metadata(question))
        close(id, .failure(HubError(.cancelled, reason)))
    }

    private func close(_ id: UUID, _ result: Result<QuestionAnswers, HubError>) {
        guard let closed = open.removeValue(forKey: id) else { return }
        order.removeAll { $0 == id }
        closed.expiry.cancel()
        closed.finish(result)
        publish(.questionClosed(id, closed.draft.audience), sharing: closed.isShared)
    }

    /// Tells the clients here, and the other hub.
    private func publish(_ activity: Activity, sharing isShared: Bool = true) {
        activities.publish(activity)
        switch activity {
        case _ where !isShared: break
        case .asked(let question, let audience): sharing.tell(.asked(question, audience))
        case .questionClosed(let id, _): sharing.tell(.closed(id))
        default: break
        }
    }

    // MARK: The other hub's questions

    /// Returns whether a question is the other hub's, and the session's user can answer it.
    private func isOthers(_ id: UUID, for session: HubSession) -> Bool {
        others[id]?.audience.includes(session) ?? false
    }

    /// Tells the other hub of all open questions.
    func tellAll() {
        for question in order.compactMap({ open[$0] }) where question.isShared {
            sharing.tell(.asked(question.question, question.draft.audience))
        }
    }

    /// Handles what the other hub tells of its questions.
    func take(_ news: QuestionNews) {
        switch news {
        case .closed(let id):
            guard let closed = others.removeValue(forKey: id) else { return }
            othersOrder.removeAll { $0 == id }
            activities.publish(.questionClosed(id, closed.audience))
        case .asked(let question, let audience):
            let isNew = others[question.id] == nil
            guard open[question.id] == nil, !isNew || others.count < QuestionSharing.questions else { return }
            others[question.id] = (question, audience)
            guard isNew else { return }
            othersOrder.append(question.id)
            activities.publish(.asked(question, audience))
        }
    }

    /// Handles that the other hub isn't connected any more.
    func forgetOtherHubs() {
        for id in othersOrder { take(.closed(id)) }
    }

    /// Returns the log metadata of a question; never an answer.
    private static func metadata(_ question: Question) -> Logger.Metadata {
        ["kind": "\(question.kind.rawValue)", LogKey.app: "\(question.app)", "question": "\(question.text)"]
    }

    /// The refusal of who declines to answer, unless the draft has its own.
    static let declined = HubError(.cancelled, "The question was declined.")

    private static let abandoned = HubError(.cancelled, "The request that asked the question has ended.")
    static let noSuchQuestion = HubError(
        HubError.Code(rawValue: "notFound"),
        "The question is not open: it was answered or declined, or it has expired."
    )
}

extension QuestionDraft.Audience {
    /// The home whose editors are meant; `nil` for a single user.
    fileprivate var home: UUID? {
        if case .editors(let home) = self { home } else { nil }
    }

    /// Returns whether the session's user belongs to the audience.
    func includes(_ session: HubSession) -> Bool {
        switch self {
        case .editors(let home): session.mayEdit(home)
        case .person(let user): session.user == user
        }
    }
}
