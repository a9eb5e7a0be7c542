import HomeIdentity
package import SealedFeed

/// The secret with which batches are sealed, from one removal of a hub to the next.
package struct BatchKey: Hashable, Sendable, Codable {
    /// The number of the key. A later key has a larger one.
    package var generation: Int
    /// The key.
    package var key: GenerationKey

    /// Creates a key.
    ///
    /// - Parameters:
    ///   - generation: The number of the key, from 1.
    ///   - key: The key; a random one unless it is given.
    package init(generation: Int, key: GenerationKey = GenerationKey()) {
        self.generation = generation
        self.key = key
    }
}

extension SigningContext {
    /// Batches of two hubs.
    static let batch = SigningContext("hearth batch 1")
}
