import HubAPI

/// The limits per client, which bound the hub's memory. `Documentation/Limits.md` lists them.
enum SessionLimits {
    /// The maximum number of a session's requests without a reply. Transports that can slow down reading do so long
    /// before.
    static let unansweredRequests = 16_384
    /// The maximum size of a session's requests without a reply, in bytes.
    static let unansweredBytes = 64 << 20
    /// The maximum number of a session's open questions.
    static let openQuestions = 8
    /// The maximum size of the texts, suggestions and choices of a session's open questions, in bytes.
    static let openQuestionBytes = 4 << 20
    /// The maximum number of open questions of one app of a user, on all its connections.
    static let openQuestionsPerApp = 32
    /// The maximum number of open questions of all clients.
    static let openQuestionsInAll = 512
    /// The maximum size of all open questions, in bytes.
    static let openQuestionBytesInAll = 32 << 20
    /// The maximum number of connections of one app that wait for the user's decision, including the one that asks.
    static let consentsPerApp = 64
    /// The maximum number of connections that wait for one user's decisions.
    static let consentsPerPerson = 256
    /// The maximum number of remembered apps that a user declined to decide about.
    static let declinedApps = 512
    /// The maximum size in bytes of the parameters of a request that is handled on its connection's own thread.
    static let briefBytes = 4 << 10
    /// The maximum number of repeats of a keyed request that wait for its result.
    static let waitingRepeats = 16
    /// The maximum number of connections with a stored backup.
    static let keptBackups = 8

    /// The error for a client with too many unanswered requests.
    static let tooManyRequests = HubError(
        .tooManyRequests,
        "The client has \(unansweredRequests) requests, or \(unansweredBytes) bytes of requests, without a reply. Wait for replies."
    )
    /// The time for which values are gathered for a session from away.
    static let gatheringTime = Duration.milliseconds(250)
}
