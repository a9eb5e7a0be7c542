/// How often each thing is done in a round.
struct Effort {
    var rounds = 7
    /// Requests on one connection.
    var requests = 2_000
    /// Requests on each of several connections at once.
    var parallelRequests = 1_500
    var databases = 40
    var verifications = 150
    var setUps = 2
    var events = 6
    /// The connections that come and go before writes are measured again; every other one verifies.
    var visitors = 2_000

    /// How many connections ask at once, and how many are subscribed.
    static let parallelConnections = 8

    /// A glance, to try the bench itself out.
    static let quick = Effort(
        rounds: 2,
        requests: 300,
        parallelRequests: 300,
        databases: 10,
        verifications: 30,
        setUps: 1,
        events: 3,
        visitors: 200
    )
}
