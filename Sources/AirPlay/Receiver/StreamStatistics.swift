/// The numbers of a stream's packets.
package struct StreamStatistics: Hashable, Sendable {
    /// Packets that arrived in time.
    package var received = 0
    /// Packets among them that arrived out of order.
    package var reordered = 0
    /// Packets among them that the sender sent again.
    package var repaired = 0
    /// Packets that were replaced with silence.
    package var lost = 0
    /// Packets among those that arrived afterwards.
    package var late = 0
    /// Packets that arrived more than once, or after a flush.
    package var repeated = 0
    /// Packets of another stream, or far from the expected ones.
    package var foreign = 0
    /// Packets that were altered, or encrypted with another key.
    package var forged = 0
    /// Packets whose content is malformed, replaced with silence.
    package var malformed = 0

    /// Creates numbers that are all 0.
    package init() {}
}
