internal import HAP
package import HAPCatalog
internal import HAPServer

/// The events after a position in the simulator's log.
package struct ControlEvents: Codable, Sendable {
    /// The position after the last event, for the next request.
    package var next: UInt64
    /// The number of events that were dropped because they weren't requested in time.
    package var missed: UInt64
    /// The events, oldest first.
    package var events: [ControlEvent]
}

/// A ``SimulatorEvent`` in the control protocol. Fields that don't apply are absent.
package struct ControlEvent: Codable, Sendable {
    /// `value`, `identify`, `pairing`, `added`, `edited`, `removed`, `joining`, `joined` or `joinFailed`.
    package var event: String
    /// The accessory's name.
    package var accessory: String?
    /// Its serial number.
    package var serialNumber: String?
    /// The key of the service.
    package var service: String?
    /// The characteristic: its name in the catalog, or its UUID.
    package var characteristic: String?
    /// The new value.
    package var value: CharacteristicValue?
    /// The controller that wrote the value. Absent if it was set at the accessory.
    package var controller: String?
    /// Whether the accessory is paired.
    package var isPaired: Bool?

    /// - Parameter names: The accessories' names by serial number.
    init(_ event: SimulatorEvent, _ names: [String: String]) {
        switch event {
        case .valueChanged(let change):
            self.event = "value"
            serialNumber = change.address.accessory
            service = change.address.service
            characteristic = change.address.type.description
            value = change.value
            controller = change.controller?.description
        case .identify(let serialNumber):
            self.event = "identify"
            self.serialNumber = serialNumber
        case .pairingChanged(let name, let isPaired):
            self.event = "pairing"
            accessory = name
            self.isPaired = isPaired
        case .added(let serialNumber):
            self.event = "added"
            self.serialNumber = serialNumber
        case .edited(let serialNumber):
            self.event = "edited"
            self.serialNumber = serialNumber
        case .removed(let serialNumber):
            self.event = "removed"
            self.serialNumber = serialNumber
        case .joining(let serialNumber):
            self.event = "joining"
            self.serialNumber = serialNumber
        case .joined(let serialNumber):
            self.event = "joined"
            self.serialNumber = serialNumber
        case .joinFailed(let serialNumber):
            self.event = "joinFailed"
            self.serialNumber = serialNumber
        }
        if let name = serialNumber.flatMap({ names[$0] }) { accessory = name }
    }
}
