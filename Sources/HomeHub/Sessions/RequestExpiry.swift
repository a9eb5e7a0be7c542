import HubAPI

/// When a request from away must not be carried out any more, by the hub's running clock.
///
/// Whoever carries a request from away may hold it back. A lamp that is switched late is worse than one that isn't.
struct RequestExpiry: Hashable, Sendable {
    /// The expiry of the request that is being handled. What its handler starts has it too.
    @TaskLocal static var current: RequestExpiry?

    /// The reading of the clock, in milliseconds.
    private let until: Int64

    /// The difference that two running clocks may have gained since the client has read the hub's.
    private static let tolerance: Int64 = 1_000

    /// Reads the expiry of a request.
    ///
    /// - Throws: `malformedMessage` if a request from away has none.
    init?(of request: HubRequest, from way: Way) throws(HubError) {
        guard let until = request.until else {
            guard way == .away else { return nil }
            throw HubError(
                .malformedMessage,
                "A request from away needs “until”: at most \(HubProtocol.longestValidity) more than the hub's clock."
            )
        }
        self.until = until
    }

    /// Whether the time is over. It is as well if the time is farther ahead than any client may set it: then it is by the
    /// clock of another start of the machine.
    var isOver: Bool {
        let now = RunningClock.now
        return until <= now || until - now > HubProtocol.longestValidity + Self.tolerance
    }

    /// The error for a request that isn't carried out.
    static let error = HubError(.expired, "Not done: it took too long on the way to the hub. Try again.")
}
