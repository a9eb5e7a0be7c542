public import HAP
public import HAPCatalog

/// What came of reading one characteristic.
public struct ReadOutcome: Hashable, Sendable {
    /// The characteristic.
    public let id: CharacteristicID
    /// The value in the form of its format, `nil` if the accessory has none at present; or why it was not read.
    public let result: Result<CharacteristicValue?, AccessoryFailure>
    /// When the answer came.
    public let arrival: Arrival
}
