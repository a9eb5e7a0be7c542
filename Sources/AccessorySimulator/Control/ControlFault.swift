/// A fault that lasts, as the control lists it.
package struct ControlFault: Codable, Sendable {
    /// Its number; absent if it has happened and is over.
    package var id: UInt64?
    /// The fault's line.
    package var fault: String
    /// The accessory's name.
    package var accessory: String
    /// Its serial number.
    package var serialNumber: String
    /// The key of the service, if the fault is a characteristic's.
    package var service: String?
    /// The characteristic: the catalogue's name, or the UUID.
    package var characteristic: String?
}

/// The faults that last, the oldest first.
package struct ControlFaults: Codable, Sendable {
    /// The faults.
    package var faults: [ControlFault]
}
