/// The values of an accessory's Accessory Information service. Lengths are in UTF-8 bytes.
public struct AccessoryInformation: Hashable, Sendable {
    /// The accessory's default name, 1 to 64 bytes.
    public var name: String
    /// The manufacturer, 1 to 64 bytes.
    public var manufacturer: String
    /// The model, 1 to 64 bytes.
    public var model: String
    /// The serial number, 2 to 64 bytes.
    public var serialNumber: String
    /// The firmware version: `x`, `x.y` or `x.y.z` in decimal numbers.
    public var firmwareRevision: String
    /// The hardware version, in the same form.
    public var hardwareRevision: String?
    /// Additional characteristics of the service.
    public var additional: [HostedCharacteristic]

    /// Creates the information about an accessory.
    public init(
        name: String,
        manufacturer: String,
        model: String,
        serialNumber: String,
        firmwareRevision: String,
        hardwareRevision: String? = nil,
        additional: [HostedCharacteristic] = []
    ) {
        self.name = name
        self.manufacturer = manufacturer
        self.model = model
        self.serialNumber = serialNumber
        self.firmwareRevision = firmwareRevision
        self.hardwareRevision = hardwareRevision
        self.additional = additional
    }
}
