/// What an accessory says of its maker, from HAP's Accessory Information service.
package struct AccessoryInformation: Hashable, Sendable, Codable {
    /// The manufacturer's name.
    package var manufacturer: String?
    /// The model.
    package var model: String?
    /// The serial number.
    package var serialNumber: String?
    /// The firmware revision.
    package var firmwareRevision: String?

    /// Makes the information; a value that the accessory does not give is nil.
    package init(
        manufacturer: String? = nil,
        model: String? = nil,
        serialNumber: String? = nil,
        firmwareRevision: String? = nil
    ) {
        self.manufacturer = manufacturer
        self.model = model
        self.serialNumber = serialNumber
        self.firmwareRevision = firmwareRevision
    }
}
