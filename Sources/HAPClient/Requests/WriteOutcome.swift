public import HAP
public import HAPCatalog

/// What came of writing one characteristic, or of changing the subscription to it.
public struct WriteOutcome: Hashable, Sendable {
    /// The characteristic.
    public let id: CharacteristicID
    /// Done, with the value after the write if that was asked for and sent; or why it was not done.
    public let result: Result<CharacteristicValue?, AccessoryFailure>
    /// When the answer came.
    public let arrival: Arrival
}
