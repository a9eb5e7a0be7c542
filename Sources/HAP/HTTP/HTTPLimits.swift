/// The maximum lengths of a message's parts, in bytes. A reader rejects messages that exceed them.
public struct HTTPLimits: Hashable, Sendable {
    /// The maximum length of the start line. A read of every characteristic of a full bridge must fit.
    public var startLineLength: Int
    /// The maximum length of the header section, and of the trailer section.
    public var headerLength: Int
    /// The maximum length of a body.
    public var bodyLength: Int
    /// The maximum length of an event's body, if ``bodyLength`` is not less. Events are unsolicited and contain only a
    /// few values.
    public var eventBodyLength: Int

    /// Creates limits. The default for the body of an event is 256 KiB.
    public init(startLineLength: Int, headerLength: Int, bodyLength: Int, eventBodyLength: Int = 262_144) {
        self.startLineLength = startLineLength
        self.headerLength = headerLength
        self.bodyLength = bodyLength
        self.eventBodyLength = eventBodyLength
    }

    /// The maximum length of a whole message, without line ends.
    package var total: Int { startLineLength + headerLength + bodyLength }

    /// The limits of requests, which accessories read: 64 KiB, 16 KiB, 1 MiB.
    public static let request = HTTPLimits(startLineLength: 65_536, headerLength: 16_384, bodyLength: 1_048_576)
    /// The limits of requests and responses before the peer is authenticated: 1 KiB, 16 KiB, 64 KiB.
    public static let pairing = HTTPLimits(startLineLength: 1_024, headerLength: 16_384, bodyLength: 65_536)
    /// The limits of responses and events, which controllers read: 1 KiB, 16 KiB, 16 MiB (a full bridge, a snapshot),
    /// and 256 KiB for an event.
    public static let response = HTTPLimits(startLineLength: 1_024, headerLength: 16_384, bodyLength: 16_777_216)
}
