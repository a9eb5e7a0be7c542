import Foundation
import HomeModel
import HubAPI

/// The questions whether apps may use the homes on this device. It is a value: ``Agent`` runs it.
///
/// All connections of an app wait for one question. An app whose question was declined isn't asked about again while the agent
/// runs: apps retry, and the person could never get rid of the question otherwise.
struct AppConsent: Sendable {
    private struct Open {
        var question: Question
        var purpose: String
        var sessions: [UUID]
    }

    /// A decision of the person's.
    struct Decision: Sendable {
        var app: String
        var purpose: String
        var isAllowed: Bool
    }

    private var open: [Open] = []
    private var declined: [String] = []

    /// The open questions, oldest first.
    var questions: [Question] { open.map(\.question) }

    /// The apps that wait for a decision, with their reasons.
    var waitingApps: [String: String] {
        Dictionary(open.map { ($0.question.app, $0.purpose) }) { first, _ in first }
    }

    /// Asks about an app, or lets the session wait for the question that is open.
    ///
    /// - Returns: The question, if it is new.
    /// - Throws: ``HubError``, if the person has declined to decide, or too many connections wait.
    mutating func ask(about hello: Hello, for session: UUID, until expires: Date) throws(HubError) -> Question? {
        guard !declined.contains(hello.app) else { throw AppAdmission.denial(of: hello.app) }
        if let index = open.firstIndex(where: { $0.question.app == hello.app }) {
            guard open[index].sessions.count < AgentLimits.waitingConnections else {
                let reason = "\(AgentLimits.waitingConnections) connections of the app are waiting for a decision."
                throw HubError(.notAllowedNow, "\(reason) Try again in a moment.")
            }
            open[index].sessions.append(session)
            return nil
        }
        guard open.count < AgentLimits.openQuestions else {
            let reason = "\(open.count) questions about apps are waiting for answers."
            throw HubError(.notAllowedNow, "\(reason) Try again when some have been answered.")
        }
        let purpose = hello.purpose.sanitized(maximumLength: HomeLimits.purposeLength)
        let question = Question(
            id: UUID(),
            kind: .app,
            text: AppAdmission.question(about: hello.app, purpose: purpose),
            home: nil,
            deviceID: nil,
            app: hello.app,
            fields: [AppAdmission.decisionField],
            expires: expires
        )
        open.append(Open(question: question, purpose: purpose, sessions: [session]))
        return question
    }

    /// Checks an answer. The question stays open until the decision is stored and ``close(about:)`` is called.
    ///
    /// - Returns: The decision; `nil` if the question isn't open.
    /// - Throws: `invalidAnswer`.
    func decision(_ answer: AnswerQuestion) throws(HubError) -> Decision? {
        guard let open = open.first(where: { $0.question.id == answer.id }) else { return nil }
        var input = answer.answers ?? [:]
        let field = AppAdmission.decisionField.id
        if let answer = answer.answer { input[field] = answer }
        let answers = try open.question.fields.answers(input)
        let isAllowed = AppAdmission.allows(answers[field])
        return Decision(app: open.question.app, purpose: open.purpose, isAllowed: isAllowed)
    }

    /// Closes the question about an app, because the person has decided.
    ///
    /// - Returns: The question's ID and the sessions that wait for the decision; `nil` if no question was open.
    mutating func close(about app: String) -> (question: UUID, sessions: [UUID])? {
        declined.removeAll { $0 == app }
        return close { $0.question.app == app }
    }

    /// Declines a question.
    mutating func decline(_ id: UUID) -> (question: UUID, sessions: [UUID])? {
        guard let app = open.first(where: { $0.question.id == id })?.question.app else { return nil }
        declined = declined.suffix(AgentLimits.apps - 1) + [app]
        return close { $0.question.id == id }
    }

    /// Restarts the time that a question waits.
    ///
    /// - Returns: Whether it is open.
    mutating func renew(_ id: UUID, until expires: Date) -> Bool {
        guard let index = open.firstIndex(where: { $0.question.id == id }) else { return false }
        open[index].question.expires = expires
        return true
    }

    /// Closes a question that has waited long enough.
    ///
    /// - Returns: As ``close(about:)``, or the seconds that it waits still.
    mutating func expire(_ id: UUID, at time: Date) -> (
        closed: (question: UUID, sessions: [UUID])?, left: TimeInterval?
    ) {
        guard let question = open.first(where: { $0.question.id == id })?.question else { return (nil, nil) }
        let left = question.expires.timeIntervalSince(time)
        guard left <= 0 else { return (nil, left) }
        return (close { $0.question.id == id }, nil)
    }

    /// Removes a session that has ended.
    ///
    /// - Returns: The question that nobody waits for any longer.
    mutating func remove(_ session: UUID) -> UUID? {
        guard let index = open.firstIndex(where: { $0.sessions.contains(session) }) else { return nil }
        open[index].sessions.removeAll { $0 == session }
        return open[index].sessions.isEmpty ? open.remove(at: index).question.id : nil
    }

    private mutating func close(_ matches: (Open) -> Bool) -> (question: UUID, sessions: [UUID])? {
        guard let index = open.firstIndex(where: matches) else { return nil }
        let closed = open.remove(at: index)
        return (closed.question.id, closed.sessions)
    }
}
