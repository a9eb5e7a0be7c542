import Foundation
import HubAPI

/// Whose turn it is to have a person asked about an app: one connection of an app at a time, so that a person sees one
/// question however many connections wait for its answer. It also keeps, for as long as the hub runs, about which apps a
/// person declined to decide. ``SessionLimits`` bounds both.
actor ConsentPromptQueue {
    /// An app of a person.
    struct Subject: Hashable, Sendable {
        var user: UUID
        var app: String
    }

    /// Those who wait, by what they wait for; present while somebody has the turn.
    private var waiting: [Subject: [CheckedContinuation<Void, Never>]] = [:]
    /// In the order in which the person declined.
    private var declined: [Subject] = []

    /// How many have the turn or wait for it.
    var count: Int { waiting.values.reduce(0) { $0 + 1 + $1.count } }

    /// Waits for the turn; ``release(_:)`` hands it on.
    ///
    /// - Throws: ``HubAPI/HubError`` with `notAllowedNow` if too many wait already.
    func acquire(_ subject: Subject) async throws(HubError) {
        guard let others = waiting[subject]?.count else {
            try checkRoom(for: subject.user)
            waiting[subject] = []
            return
        }
        guard others + 1 < SessionLimits.consentsPerApp else {
            let reason =
                "\(SessionLimits.consentsPerApp) connections of the app wait to be allowed. Try again in a moment."
            throw HubError(.notAllowedNow, reason)
        }
        try checkRoom(for: subject.user)
        await withCheckedContinuation { waiting[subject]?.append($0) }
    }

    private func checkRoom(for user: UUID) throws(HubError) {
        let count = waiting.filter { $0.key.user == user }.reduce(0) { $0 + 1 + $1.value.count }
        guard count < SessionLimits.consentsPerPerson else {
            let reason =
                "\(SessionLimits.consentsPerPerson) connections of apps wait to be allowed. Try again in a moment."
            throw HubError(.notAllowedNow, reason)
        }
    }

    /// Hands the turn on.
    func release(_ subject: Subject) {
        guard var others = waiting[subject], !others.isEmpty else {
            waiting[subject] = nil
            return
        }
        let next = others.removeFirst()
        waiting[subject] = others
        next.resume()
    }

    /// Whether the person declined to decide about the app.
    func isDeclined(_ subject: Subject) -> Bool { declined.contains(subject) }

    /// Notes that the person declined to decide about the app.
    func decline(_ subject: Subject) {
        guard !isDeclined(subject) else { return }
        if declined.count == SessionLimits.declinedApps { declined.removeFirst() }
        declined.append(subject)
    }

    /// Notes that the person decided about the app after all.
    func forget(_ subject: Subject) { declined.removeAll { $0 == subject } }
}
