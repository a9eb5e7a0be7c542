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

    /// Returns the oldest generation of which envelopes are kept with this one.
    ///
    /// - Parameter newest: The newest stored generation; 0 for none.
    /// - Throws: `outdated` if this envelope is older.
    package func oldestKept(after newest: Int64) throws(RelayStoreError) -> Int64 {
        let oldest = max(newest, generation) - Int64(RelayLimits.generations) + 1
        guard generation >= oldest else { throw .outdated(stored: newest) }
        return oldest
    }

    /// Throws if a generation has too many envelopes.
    package static func check(count: Int) throws(RelayStoreError) {
        guard count <= RelayLimits.envelopesPerGeneration else {
            throw .quotaExceeded("A generation has at most \(RelayLimits.envelopesPerGeneration) envelopes.")
        }
    }
}
