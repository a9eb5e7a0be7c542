/// Looks at a condition again and again, often at first, until it holds or the time is up.
struct ConditionPoller {
    /// How long to look.
    var limit: Duration

    private static let shortest = Duration.milliseconds(1)
    private static let longest = Duration.milliseconds(20)

    /// Returns once the condition holds.
    ///
    /// - Throws: What the condition throws, what `otherwise` gives when the time is up, or `CancellationError`.
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
