package import HAP
package import HAPCatalog

/// What came of writing one characteristic, or of changing the subscription to it.
package struct WriteOutcome: Hashable, Sendable {
    /// The characteristic.
    package let id: CharacteristicID
    /// Done, with the value after the write if that was asked for and sent; or why it was not done.
    package let result: Result<CharacteristicValue?, AccessoryFailure>
    /// When the answer came.
    package let arrival: Arrival
}
