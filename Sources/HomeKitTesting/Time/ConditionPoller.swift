/// A poller that evaluates a condition repeatedly, with increasing pauses, until it holds or a time limit is reached.
struct ConditionPoller {
    /// The time limit.
    var limit: Duration

    private static let shortest = Duration.milliseconds(1)
    private static let longest = Duration.milliseconds(20)

    /// Returns once the condition holds.
    ///
    /// - Throws: An error that the condition throws, the error from `otherwise` at the time limit, or
    ///   `CancellationError`.
    func wait(
        isolation: isolated (any Actor)? = #isolation,
        for condition: () async throws -> Bool,
        otherwise: () async -> any Error
    ) async throws {
        let end = ContinuousClock.now + limit
        var pause = Self.shortest
        while try await !condition() {
            guard ContinuousClock.now < end else { throw await otherwise() }
            try await Task.sleep(for: pause)
            pause = min(pause * 2, Self.longest)
        }
    }
}
