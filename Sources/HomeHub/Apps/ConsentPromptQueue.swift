import Foundation
import HubAPI

/// A queue that asks a user about each app only once at a time.
///
/// One connection of an app asks while its others wait for the answer, so that the user sees one question per app. The
/// queue also remembers, while the hub runs, which apps the user declined to decide about. ``SessionLimits`` bounds
/// both.
actor ConsentPromptQueue {
    /// An app and its user.
    struct Subject: Hashable, Sendable {
        var user: UUID
        var app: String
    }

    private var turns = TurnQueue<Subject, CheckedContinuation<Void, Never>>()
    /// The apps that the user declined to decide about, oldest first.
    private var declined: [Subject] = []

    /// The number of connections that ask or wait.
    var count: Int { turns.count { _ in true } }

    /// Waits for the turn; ``release(_:)`` hands it on.
    ///
    /// - Throws: ``HubAPI/HubError`` with `notAllowedNow` if too many wait already.
    func acquire(_ subject: Subject) async throws(HubError) {
        guard turns.count(for: subject) < SessionLimits.consentsPerApp else {
            let reason =
                "\(SessionLimits.consentsPerApp) connections of the app are waiting for a decision. Try again in a moment."
            throw HubError(.notAllowedNow, reason)
        }
        guard turns.count(where: { $0.user == subject.user }) < SessionLimits.consentsPerPerson else {
            let reason =
                "\(SessionLimits.consentsPerPerson) connections of apps are waiting for a decision. Try again in a moment."
            throw HubError(.notAllowedNow, reason)
        }
        guard !turns.acquire(subject) else { return }
        let ticket = turns.nextTicket()
        await withCheckedContinuation { turns.append($0, as: ticket, to: subject) }
    }

    /// Passes the turn on to the next connection.
    func release(_ subject: Subject) {
        turns.release(subject)?.resume()
    }

    /// Returns whether the user declined to decide about an app.
    func isDeclined(_ subject: Subject) -> Bool { declined.contains(subject) }

    /// Records that the user declined to decide about an app.
    func decline(_ subject: Subject) {
        guard !isDeclined(subject) else { return }
        if declined.count == SessionLimits.declinedApps { declined.removeFirst() }
        declined.append(subject)
    }

    /// Records that the user has decided about an app after all.
    func forget(_ subject: Subject) { declined.removeAll { $0 == subject } }
}
