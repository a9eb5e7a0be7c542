package import HAP
package import HAPCatalog

/// What came of reading one characteristic.
package struct ReadOutcome: Hashable, Sendable {
    /// The characteristic.
    package let id: CharacteristicID
    /// The value in the form of its format, `nil` if the accessory has none at present; or why it was not read.
    package let result: Result<CharacteristicValue?, AccessoryFailure>
    /// When the answer came.
    package let arrival: Arrival
}
