/// The limits of a connection. `Documentation/Voice.md` lists them.
package struct WyomingLimits: Hashable, Sendable {
    /// The maximum number of bytes in an event's first line.
    package var lineBytes = 16_384
    /// The maximum number of bytes in an event's data after the first line.
    package var dataBytes = 65_536
    /// The maximum number of bytes in an event's payload, such as a piece of audio. Payloads are skipped.
    package var payloadBytes = 1 << 20

    /// Creates the standard limits.
    package init() {}
}
