/// Waiting in tests.
///
/// A test waits for a condition and never for a time, so each wait ends as soon as its condition holds.
public enum Wait {
    /// The time limit of a wait.
    ///
    /// The limit ends a hang and measures nothing. It is many times the longest wait on a slow, busy machine.
    public static let limit = Duration.seconds(180)

    private static let minimumPause = Duration.milliseconds(1)
    private static let maximumPause = Duration.milliseconds(50)

    /// Waits until a condition holds.
    ///
    /// - Parameters:
    ///   - expectation: The condition in words, for the error.
    ///   - limit: The time limit.
    ///   - condition: A closure that checks the condition, called repeatedly.
    /// - Throws: ``PeerProcessError`` if the condition doesn't hold in time; any error of `condition`.
    public static func until(
        _ expectation: String,
        within limit: Duration = limit,
        isolation: isolated (any Actor)? = #isolation,
        _ condition: () async throws -> Bool
    ) async throws {
        let holds = try await value(within: limit, where: \.self, of: condition)
        guard holds else { throw PeerProcessError("not within \(limit): \(expectation)") }
    }

    /// Reads a value until it meets a condition.
    ///
    /// - Parameters:
    ///   - limit: The time limit.
    ///   - condition: The condition.
    ///   - read: A closure that reads the value, called repeatedly.
    /// - Returns: The first value that meets the condition, or the last one if none does in time.
    /// - Throws: Any error of `read`.
    public static func value<Value>(
        within limit: Duration = limit,
        isolation: isolated (any Actor)? = #isolation,
        where condition: (Value) -> Bool,
        of read: () async throws -> Value
    ) async throws -> Value {
        let end = ContinuousClock.now + limit
        var pause = minimumPause
        while true {
            let value = try await read()
            if condition(value) || ContinuousClock.now >= end { return value }
            try await Task.sleep(for: pause)
            pause = min(pause * 2, maximumPause)
        }
    }
}
