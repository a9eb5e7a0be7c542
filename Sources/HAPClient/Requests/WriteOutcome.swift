package import HAP
package import HAPCatalog

/// The outcome of writing one characteristic or changing the subscription to it.
package struct WriteOutcome: Hashable, Sendable {
    /// The characteristic.
    package let id: CharacteristicID
    /// Success, with the value after the write if it was requested and sent; or the failure.
    package let result: Result<CharacteristicValue?, AccessoryFailure>
    /// The sequence number of the response.
    package let arrival: ArrivalOrder
}
