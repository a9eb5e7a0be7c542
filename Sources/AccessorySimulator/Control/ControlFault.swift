/// A lasting fault in the control protocol.
package struct ControlFault: Codable, Sendable {
    /// Its number. Absent if the fault is momentary.
    package var id: UInt64?
    /// The fault's text.
    package var fault: String
    /// The accessory's name.
    package var accessory: String
    /// Its serial number.
    package var serialNumber: String
    /// The key of the service, if the fault concerns a characteristic.
    package var service: String?
    /// The characteristic: its name in the catalog, or its UUID.
    package var characteristic: String?
}

/// The lasting faults, oldest first.
package struct ControlFaults: Codable, Sendable {
    /// The faults.
    package var faults: [ControlFault]
}
