package import Foundation

/// The key of a generation of a feed, sealed to one device. A relay doesn't look inside.
package struct StoredEnvelope: Hashable, Sendable {
    /// The generation.
    package var generation: Int64
    /// The device.
    package var device: UUID
    /// The envelope.
    package var bytes: Data

    /// Creates an envelope.
    package init(generation: Int64, device: UUID, bytes: Data) {
        self.generation = generation
        self.device = device
        self.bytes = bytes
    }
}
