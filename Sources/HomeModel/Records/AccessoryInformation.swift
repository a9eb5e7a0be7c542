/// What an accessory says of its maker, from HAP's Accessory Information service.
public struct AccessoryInformation: Hashable, Sendable, Codable {
    /// The manufacturer's name.
    public var manufacturer: String?
    /// The model.
    public var model: String?
    /// The serial number.
    public var serialNumber: String?
    /// The firmware revision.
    public var firmwareRevision: String?

    /// Makes the information; a value that the accessory does not give is nil.
    public init(
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
