/// Who made an accessory and what it is: the values of its Accessory Information service. Lengths are of UTF-8 bytes.
public struct AccessoryInformation: Hashable, Sendable {
    /// The name by which the accessory introduces itself, 1 to 64 bytes.
    public var name: String
    /// The maker, 1 to 64 bytes.
    public var manufacturer: String
    /// The model, 1 to 64 bytes.
    public var model: String
    /// The serial number, 2 to 64 bytes.
    public var serialNumber: String
    /// The version of the firmware: `x`, `x.y` or `x.y.z` in decimal numbers.
    public var firmwareRevision: String
    /// The version of the hardware, in the same form.
    public var hardwareRevision: String?
    /// What the maker adds to the service.
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
