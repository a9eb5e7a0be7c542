/// The number of repetitions in a round.
struct Effort {
    var rounds = 7
    /// The requests on one connection.
    var requests = 2_000
    /// The requests on each of several parallel connections.
    var parallelRequests = 1_500
    var databases = 40
    var verifications = 150
    var setUps = 2
    var events = 6
    /// The connections that open and close before writes are measured again. Every other one verifies.
    var visitors = 2_000

    /// The number of parallel connections for requests, and of subscribers.
    static let parallelConnections = 8
    /// The characteristics in a request that reads many.
    static let manyCharacteristics = 16

    /// A minimal run, to test the benchmark itself.
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
