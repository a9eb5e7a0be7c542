/// An error for a wait in a test that timed out.
public struct WaitTimeoutError: Error, CustomStringConvertible {
    /// A description of the awaited condition.
    public let awaited: String
    /// The time limit of the wait.
    public let limit: Duration
    /// The location in the test: file and line.
    public let location: String
    /// A description of the state when the wait timed out.
    public let state: String

    init(_ awaited: String, _ limit: Duration, _ file: StaticString, _ line: UInt, state: String) {
        self.awaited = awaited
        self.limit = limit
        location = "\(file):\(line)"
        self.state = state
    }

    /// A description with the location, the condition and the state.
    public var description: String { "\(location): timed out after \(limit) waiting until \(awaited). \(state)" }
}
