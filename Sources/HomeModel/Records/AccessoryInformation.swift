/// The manufacturer's information about an accessory, from HAP's Accessory Information service.
package struct AccessoryInformation: Hashable, Sendable, Codable {
    /// The manufacturer's name.
    package var manufacturer: String?
    /// The model.
    package var model: String?
    /// The serial number.
    package var serialNumber: String?
    /// The firmware revision.
    package var firmwareRevision: String?

    /// Creates the information; values that the accessory doesn't provide are `nil`.
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
