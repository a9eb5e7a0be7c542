import Foundation
import HomeModel
import HubAPI
import HubClient
import Logging
import Synchronization

/// The apps that may use the homes on this device: what the person has decided, and what they are asked.
extension Agent {
    // MARK: Admission

    /// Lets an app's session go on with its hello, now or once the person has decided.
    func admit(_ hello: Hello, for session: AgentSession) {
        let question: Question?
        do throws(HubError) {
            guard try needsDecision(hello) else { return whenTried { session.admitted(nil) } }
            question = try ask(about: hello, for: session)
        } catch {
            return session.admitted(error)
        }
        guard let question else { return }
        notify(.asked(question))
        expire(question.id, after: configuration.questionTimeout)
    }

    /// Returns whether the person must be asked about an app.
    ///
    /// - Throws: ``HubError`` if the app may not use the homes.
    private func needsDecision(_ hello: Hello) throws(HubError) -> Bool {
        guard try AppAdmission.check(hello) else { return false }
        let isAllowed = state.withLock { $0.settings.apps.first { $0.id == hello.app }?.isAllowed }
        guard isAllowed != false else { throw AppAdmission.denial(of: hello.app) }
        return isAllowed == nil && configuration.asksAboutApps
    }

    private func ask(about hello: Hello, for session: AgentSession) throws(HubError) -> Question? {
        let expires = expiry
        let result = state.withLock { state -> Result<Question?, HubError> in
            do throws(HubError) {
                return .success(try state.consent.ask(about: hello, for: session.id, until: expires))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    private var expiry: Date {
        configuration.now().addingTimeInterval(configuration.questionTimeout / .seconds(1))
    }

    // MARK: Questions

    /// Tells the clients that asked for questions.
    func notify(_ event: HubEvent) {
        for session in sessions { session.notifyOfQuestion(event) }
    }

    /// Answers a question of the agent's own.
    func answer(_ answer: AnswerQuestion) throws(HubError) {
        let decision = try state.withLock { $0.consent }.decision(answer)
        guard let decision else { throw Self.noSuchQuestion }
        try decide(decision.app, decision.purpose, decision.isAllowed)
    }

    /// Declines a question of the agent's own.
    func decline(_ id: UUID) throws(HubError) {
        let app = state.withLock { $0.consent.questions.first { $0.id == id }?.app }
        let closed = state.withLock { $0.consent.decline(id) }
        guard let app, let closed else { throw Self.noSuchQuestion }
        finish(closed, AppAdmission.denial(of: app))
    }

    /// Restarts the time that a question waits.
    func renew(_ id: UUID) throws(HubError) -> Date {
        let expires = expiry
        guard state.withLock({ $0.consent.renew(id, until: expires) }) else { throw Self.noSuchQuestion }
        return expires
    }

    private static let noSuchQuestion = HubError(
        HomeError(.notFound, "The question is not open: it was answered or declined, or it has expired.")
    )

    private func expire(_ id: UUID, after delay: Duration) {
        RetryPolicy.standard.wait(delay) { [weak self] in
            guard let self else { return }
            let (closed, left) = state.withLock { $0.consent.expire(id, at: self.configuration.now()) }
            if let left { return expire(id, after: .seconds(left)) }
            guard let closed else { return }
            let seconds = configuration.questionTimeout / .seconds(1)
            let reason = "Nobody answered within \(seconds) seconds. Try again, and answer with “hearth questions”."
            finish(closed, HubError(.cancelled, reason))
        }
    }

    /// Lets the sessions go on that waited for a question.
    private func finish(_ closed: (question: UUID, sessions: [UUID]), _ refusal: HubError?) {
        notify(.questionClosed(closed.question))
        let waiting = state.withLock { state in closed.sessions.compactMap { state.sessions[$0] } }
        for session in waiting {
            if refusal == nil { whenTried { session.admitted(nil) } } else { session.admitted(refusal) }
        }
    }

    // MARK: Decisions

    /// Returns the apps that the person has decided about, those that are connected or wait, and those with sockets.
    func apps() async -> Apps {
        var sockets = await socketsByApp()
        var connected = state.withLock { $0.consent.waitingApps }
        for session in sessions {
            guard let hello = session.hello, !HubProtocol.isOwnApp(hello.app) else { continue }
            connected[hello.app] = hello.purpose.sanitized(maximumLength: HomeLimits.purposeLength)
        }
        let decided = state.withLock { $0.settings.apps }.map { app in
            Apps.App(
                id: app.id,
                purpose: connected[app.id] ?? app.purpose,
                isAllowed: app.isAllowed,
                isConnected: connected.removeValue(forKey: app.id) != nil,
                sockets: sockets.removeValue(forKey: app.id)
            )
        }
        let others = Set(connected.keys).union(sockets.keys).sorted().map { id in
            Apps.App(
                id: id,
                purpose: connected[id] ?? "",
                isAllowed: nil,
                isConnected: connected[id] != nil,
                sockets: sockets[id]
            )
        }
        return Apps(apps: decided + others)
    }

    /// Stores a decision about an app. A denied app is disconnected at once.
    func decide(_ id: String, _ isAllowed: Bool) async throws(HubError) {
        let purpose = await apps().apps.first { $0.id == id }?.purpose ?? ""
        try decide(id, purpose, isAllowed)
    }

    private func decide(_ id: String, _ purpose: String, _ isAllowed: Bool) throws(HubError) {
        try AppAdmission.checkDecision(about: id)
        let limit = HomeLimits.appIdentifierLength
        guard !id.isEmpty, id.sanitized(maximumLength: limit) == id else {
            let reason = "An app's identifier can have at most \(limit) printable characters."
            throw HubError(HomeError(.invalidParameter, reason))
        }
        let isDone = state.withLock { state in
            let app = AgentSettings.App(id: id, purpose: purpose, isAllowed: isAllowed)
            if let index = state.settings.apps.firstIndex(where: { $0.id == id }) {
                state.settings.apps[index] = app
            } else {
                guard state.settings.apps.count < AgentLimits.apps else { return false }
                state.settings.apps.append(app)
            }
            return true
        }
        guard isDone else {
            let reason =
                "This device has \(AgentLimits.apps) decisions about apps. Forget some with “hearth app forget”."
            throw HubError(HomeError(.limitExceeded, reason))
        }
        try storeSettingsOrThrow()
        log.info(isAllowed ? "An app was allowed." : "An app was denied.", metadata: ["app": "\(id)"])
        let denial = isAllowed ? nil : AppAdmission.denial(of: id)
        if let closed = state.withLock({ $0.consent.close(about: id) }) { finish(closed, denial) }
        guard let denial else { return }
        for session in sessions where session.hello?.app == id { session.close(denial) }
    }
}
