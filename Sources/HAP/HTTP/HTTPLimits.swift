/// How much of a message a reader takes before it refuses it. All lengths are of bytes.
public struct HTTPLimits: Hashable, Sendable {
    /// The longest start line. A read of every characteristic of a full bridge has to fit.
    public var startLineLength: Int
    /// The longest header section, and the longest trailer section.
    public var headerLength: Int
    /// The longest body.
    public var bodyLength: Int
    /// The longest body of an event, if ``bodyLength`` is not less. Nobody asks for events, and each holds a few values.
    public var eventBodyLength: Int

    /// Creates limits. An event's body is of 256 KiB at most unless told otherwise.
    public init(startLineLength: Int, headerLength: Int, bodyLength: Int, eventBodyLength: Int = 262_144) {
        self.startLineLength = startLineLength
        self.headerLength = headerLength
        self.bodyLength = bodyLength
        self.eventBodyLength = eventBodyLength
    }

    /// The most bytes of a whole message, line ends aside.
    package var total: Int { startLineLength + headerLength + bodyLength }

    /// For requests, which an accessory reads: 64 KiB, 16 KiB, 1 MiB.
    public static let request = HTTPLimits(startLineLength: 65_536, headerLength: 16_384, bodyLength: 1_048_576)
    /// For messages of either kind before the other end has proved who it is: 1 KiB, 16 KiB, 64 KiB.
    public static let pairing = HTTPLimits(startLineLength: 1_024, headerLength: 16_384, bodyLength: 65_536)
    /// For responses and events, which a controller reads: 1 KiB, 16 KiB, 16 MiB (a full bridge, a snapshot), and
    /// 256 KiB for an event.
    public static let response = HTTPLimits(startLineLength: 1_024, headerLength: 16_384, bodyLength: 16_777_216)
}
