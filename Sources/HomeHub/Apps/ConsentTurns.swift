import Foundation

/// Whose turn it is to have a person asked about an app: one connection of an app at a time, so that a person sees one
/// question however many connections wait for its answer. It also keeps, for as long as the hub runs, about which apps a
/// person declined to decide.
actor ConsentTurns {
    /// An app of a person.
    struct Subject: Hashable, Sendable {
        var user: UUID
        var app: String
    }

    /// Those who wait, by what they wait for; present while somebody has the turn.
    private var waiting: [Subject: [CheckedContinuation<Void, Never>]] = [:]
    private var declined: Set<Subject> = []

    /// Waits for the turn; ``end(_:)`` hands it on.
    func begin(_ subject: Subject) async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            guard waiting[subject] != nil else {
                waiting[subject] = []
                continuation.resume()
                return
            }
            waiting[subject]?.append(continuation)
        }
    }

    /// Hands the turn on.
    func end(_ subject: Subject) {
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
    func decline(_ subject: Subject) { declined.insert(subject) }

    /// Notes that the person decided about the app after all.
    func forget(_ subject: Subject) { declined.remove(subject) }
}
