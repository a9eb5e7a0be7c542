package import HAP
package import HAPCatalog

/// The outcome of reading one characteristic.
package struct ReadOutcome: Hashable, Sendable {
    /// The characteristic.
    package let id: CharacteristicID
    /// The value, converted to its format, or `nil` if the accessory currently has none; or the failure.
    package let result: Result<CharacteristicValue?, AccessoryFailure>
    /// The sequence number of the response.
    package let arrival: ArrivalOrder
}
