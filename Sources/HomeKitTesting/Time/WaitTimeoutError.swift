/// What a test waited for did not come.
public struct WaitTimeoutError: Error, CustomStringConvertible {
    /// What was awaited, in words.
    public let awaited: String
    /// How long it was waited for.
    public let limit: Duration
    /// The place in the test: file and line.
    public let place: String
    /// What there was at the end, in words.
    public let state: String

    init(_ awaited: String, _ limit: Duration, _ file: StaticString, _ line: UInt, state: String) {
        self.awaited = awaited
        self.limit = limit
        place = "\(file):\(line)"
        self.state = state
    }

    /// Everything, for people.
    public var description: String { "\(place): waited \(limit) in vain until \(awaited). \(state)" }
}
