import HAP

/// The information that an accessory replies with when it is configured. Any of it can be missing.
package struct SetupInformation: Hashable, Sendable {
    /// The accessory's name.
    package var name: String?
    /// The manufacturer.
    package var manufacturer: String?
    /// The model.
    package var model: String?
    /// The serial number.
    package var serialNumber: String?
    /// The version of the firmware.
    package var firmwareRevision: String?
    /// The version of the hardware.
    package var hardwareRevision: String?

    /// Creates the information.
    package init(
        name: String? = nil,
        manufacturer: String? = nil,
        model: String? = nil,
        serialNumber: String? = nil,
        firmwareRevision: String? = nil,
        hardwareRevision: String? = nil
    ) {
        self.name = name
        self.manufacturer = manufacturer
        self.model = model
        self.serialNumber = serialNumber
        self.firmwareRevision = firmwareRevision
        self.hardwareRevision = hardwareRevision
    }

    /// Decodes the information.
    package init(decoding bytes: [UInt8]) throws(WirelessSetupError) {
        let elements = try TLV8(decodingSetup: bytes)
        name = try elements.text(.name)
        manufacturer = try elements.text(.manufacturer)
        model = try elements.text(.model)
        serialNumber = try elements.text(.serialNumber)
        firmwareRevision = try elements.text(.firmwareRevision)
        hardwareRevision = try elements.text(.hardwareRevision)
    }

    /// Returns the information's bytes.
    package func encoded() throws(WirelessSetupError) -> [UInt8] {
        var elements = TLV8()
        try elements.append(.firmwareRevision, firmwareRevision)
        try elements.append(.hardwareRevision, hardwareRevision)
        try elements.append(.manufacturer, manufacturer)
        try elements.append(.model, model)
        try elements.append(.name, name)
        try elements.append(.serialNumber, serialNumber)
        return elements.encoded()
    }
}
