import HubAPI

/// The limits of one client, so that none can make the hub grow. `Documentation/Limits.md` lists them.
enum SessionLimits {
    /// The most requests of a session that have no reply yet. Carriers that can read more slowly do so long before.
    static let unansweredRequests = 16_384
    /// The most bytes of a session's requests that have no reply yet.
    static let unansweredBytes = 64 << 20
    /// The most questions that are open for one session.
    static let openQuestions = 8
    /// The most bytes of texts, suggestions and choices in the questions that are open for one session.
    static let openQuestionBytes = 4 << 20
    /// The most questions that are open for one app of a user, on all its connections.
    static let openQuestionsPerApp = 32
    /// The most questions that are open in all.
    static let openQuestionsInAll = 512
    /// The most bytes of all questions that are open.
    static let openQuestionBytesInAll = 32 << 20
    /// The most connections of one app that wait until a person decides about it, the one for which they are asked
    /// included.
    static let consentsPerApp = 64
    /// The most connections that wait until one person decides about their apps.
    static let consentsPerPerson = 256
    /// The most apps about which a person declined to decide that are remembered.
    static let declinedApps = 512
    /// The most repeats of a request with a key that wait for its result.
    static let waitingRepeats = 16
    /// The most connections whose backups are kept at a time.
    static let keptBackups = 8

    /// The error for a client that has too many requests open.
    static let tooManyRequests = HubError(
        .tooManyRequests,
        "The client has \(unansweredRequests) requests, or \(unansweredBytes) bytes of them, without a reply. Wait for replies."
    )
}
