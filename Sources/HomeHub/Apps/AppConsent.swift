import Foundation
import HomeModel
import HubAPI
import Logging

/// Decides which apps can use a user's homes, by the rules of ``HubAPI/AppAdmission``.
struct AppConsent: HubPart {
    let database: HomeDatabase
    let questions: QuestionManager
    let sessions: SessionRegistry
    let sockets: AppSocketManager
    /// Whether to ask the user about each new app; otherwise new apps are allowed.
    let isAsking: Bool
    private let log: Logger
    private let turns = ConsentPromptQueue()

    init(
        database: HomeDatabase,
        questions: QuestionManager,
        sessions: SessionRegistry,
        sockets: AppSocketManager,
        isAsking: Bool,
        log: Logger
    ) {
        self.database = database
        self.questions = questions
        self.sessions = sessions
        self.sockets = sockets
        self.isAsking = isAsking
        self.log = log
    }

    // MARK: Greeting

    /// Admits an app that sent `session.hello`.
    ///
    /// - Throws: ``HubError/Code/appNotAllowed`` or ``HubError/Code/purposeMissing``; ``HubError/Code/cancelled`` if
    ///   the user gave no answer. If the user declines to answer, the app isn't allowed, and the user isn't asked again
    ///   while the hub runs.
    func admit(_ session: HubSession) async throws(HubError) {
        guard let hello = session.hello, try AppAdmission.check(hello) else { return }
        if try await isDecided(session) || !isAsking { return }
        let subject = ConsentPromptQueue.Subject(user: session.user, app: hello.app)
        try await turns.acquire(subject)
        do throws(HubError) {
            try await ask(session, hello, subject)
        } catch {
            await turns.release(subject)
            throw error
        }
        await turns.release(subject)
    }

    private func ask(
        _ session: HubSession,
        _ hello: Hello,
        _ subject: ConsentPromptQueue.Subject
    ) async throws(HubError) {
        // The question of another connection of the app may have been answered or declined while this one waited.
        if try await isDecided(session) { return }
        let denial = AppAdmission.denial(of: hello.app)
        if await turns.isDeclined(subject) { throw denial }
        let purpose = hello.purpose.sanitized(maximumLength: HomeLimits.purposeLength)
        let draft = QuestionDraft(
            kind: .app,
            text: AppAdmission.question(about: hello.app, purpose: purpose),
            audience: .person(session.user),
            fields: [AppAdmission.decisionField],
            refusal: denial
        )
        do throws(HubError) {
            let answer = try await questions.answer(to: draft, for: session)
            try await decide(
                hello.app,
                purpose: purpose,
                AppAdmission.allows(answer),
                by: session.caller,
                cause: session.cause(agreedBy: session.user)
            )
        } catch {
            // Another connection or command may have decided in the meantime.
            guard try await isDecided(session) else {
                // Apps retry. If every retry asked again, the user could never get rid of the question.
                if error == denial { await turns.decline(subject) }
                throw error
            }
        }
        _ = try await isDecided(session)
    }

    /// Closes a session whose app was denied while it was being admitted.
    func confirm(_ session: HubSession) async {
        do throws(HubError) {
            _ = try await isDecided(session)
        } catch {
            session.close(error)
        }
    }

    /// Returns whether the session's app is allowed. Throws if it is denied.
    private func isDecided(_ session: HubSession) async throws(HubError) -> Bool {
        guard let hello = session.hello, let app = await database.app(hello.app, of: session.user) else { return false }
        guard app.isAllowed else { throw AppAdmission.denial(of: hello.app) }
        return true
    }

    // MARK: Decisions

    /// Registers the methods.
    func register(in router: inout MethodRouter) {
        router.on(HubMethods.apps) { (_, session) async throws(HubError) in
            .done(Apps(apps: await apps(of: session.user)))
        }
        router.on(HubMethods.allowApp) { (parameters, session, request) async throws(HubError) in
            .committing { () async throws(HubError) in try await decide(parameters.id, true, by: session, request) }
        }
        router.on(HubMethods.denyApp) { (parameters, session, request) async throws(HubError) in
            .committing { () async throws(HubError) in try await decide(parameters.id, false, by: session, request) }
        }
        router.on(HubMethods.forgetApp) { (parameters, session, request) async throws(HubError) in
            let receipt = try request?.receipt(Empty())
            let change = try await database.submit(
                .forgetApp(parameters.id),
                by: session.caller,
                cause: session.cause,
                receipt: receipt
            )
            return .committing { () async throws(HubError) in try await change.committed(Empty()) }
        }
    }

    private func apps(of user: UUID) async -> [Apps.App] {
        var connected: [String: String] = [:]
        for session in sessions.all where session.user == user {
            guard let hello = session.hello, !HubProtocol.isOwnApp(hello.app) else { continue }
            connected[hello.app] = hello.purpose.sanitized(maximumLength: HomeLimits.purposeLength)
        }
        var sockets = await sockets.sockets(of: user)
        let decided = await database.apps(of: user).map { app in
            Apps.App(
                id: app.id,
                purpose: connected[app.id] ?? app.purpose,
                isAllowed: app.isAllowed,
                isConnected: connected.removeValue(forKey: app.id) != nil,
                sockets: sockets.removeValue(forKey: app.id)
            )
        }
        return decided
            + Set(connected.keys).union(sockets.keys).sorted().map { id in
                Apps.App(
                    id: id,
                    purpose: connected[id] ?? "",
                    isAllowed: nil,
                    isConnected: connected[id] != nil,
                    sockets: sockets[id]
                )
            }
    }

    private func decide(
        _ id: String,
        _ isAllowed: Bool,
        by session: HubSession,
        _ keyed: KeyedRequest?
    ) async throws(HubError) -> Committed<Empty> {
        try AppAdmission.checkDecision(about: id)
        let existing = await apps(of: session.user).first { $0.id == id }
        let follows = try await decide(
            id,
            purpose: existing?.purpose ?? "",
            isAllowed,
            by: session.caller,
            cause: session.cause,
            receipt: try keyed?.receipt(Empty())
        )
        return Committed(Empty(), follows: follows)
    }

    @discardableResult
    private func decide(
        _ id: String,
        purpose: String,
        _ isAllowed: Bool,
        by caller: Caller,
        cause: Cause,
        receipt: RequestReceipt? = nil
    ) async throws(HubError) -> [LogPlace] {
        let request = AccountRequest.decideApp(id, purpose: purpose, isAllowed: isAllowed)
        let follows = try await database.submit(request, by: caller, cause: cause, receipt: receipt).committed()
        log.info(isAllowed ? "An app was allowed." : "An app was denied.", metadata: [LogKey.app: "\(id)"])
        await turns.forget(ConsentPromptQueue.Subject(user: caller.user, app: id))
        let audience = QuestionDraft.Audience.person(caller.user)
        await questions.withdraw { $0.kind == .app && $0.app == id && $1 == audience }
        return follows
    }

    /// Closes the sessions of apps that were denied, here or at the other hub of the homes.
    func handle(_ activity: Activity) {
        guard case .stored(let request) = activity else { return }
        for entry in request.entries {
            guard case .account(let user) = entry.draft.log else { continue }
            for case .put(.accountApp(let app)) in entry.draft.change.effects where !app.isAllowed {
                for session in sessions.all where session.user == user && session.hello?.app == app.id {
                    session.close(AppAdmission.denial(of: app.id))
                }
            }
        }
    }
}
