internal import HAP
internal import HAPCatalog
internal import HAPServer

extension ControlMethod {
    private static let place = [ControlField.accessory, ControlField.characteristic, ControlField.service]
    private static let fault = "fault"
    private static let id = "id"

    /// The methods that let things go wrong and put them right.
    static let faultMethods = [
        ControlMethod("fault.inject", place + [fault]) { simulator, parameters throws(SimulatorError) in
            let place = try FaultTarget(simulator, parameters)
            let node = try parameters.required(fault)
            let fault: Fault
            do throws(SimulatorError) {
                fault = try Fault(try node.string())
            } catch {
                throw SimulatorError(error.code, reason: node.error(error.reason).reason)
            }
            let id = try await simulator.inject(
                fault,
                into: place.serialNumber,
                characteristic: place.address?.type.longForm,
                service: place.address?.service
            )
            return try ControlReply(
                ControlFault(id: id, "\(fault)", place.serialNumber, place.address, simulator.names)
            )
        },
        ControlMethod("fault.list", [ControlField.accessory]) { simulator, parameters throws(SimulatorError) in
            let place = try parameters.member(ControlField.accessory) == nil ? nil : FaultTarget(simulator, parameters)
            let names = simulator.names
            let faults = await simulator.injectedFaults.filter { place == nil || $0.accessory == place?.serialNumber }
            return try ControlReply(
                ControlFaults(
                    faults: faults.map {
                        ControlFault(id: $0.id, "\($0.fault)", $0.accessory, $0.characteristic, names)
                    }
                )
            )
        },
        /// By its number; or all of an accessory, of a characteristic, or of the simulator.
        ControlMethod("fault.clear", place + [id]) { simulator, parameters throws(SimulatorError) in
            let faults = await simulator.injectedFaults
            if let node = parameters.member(id) {
                guard !place.contains(where: { parameters.member($0) != nil }) else {
                    throw node.error("a number says which fault it is; leave out \(place.joined(separator: ", "))")
                }
                guard let id = UInt64(exactly: try node.integer()), faults.contains(where: { $0.id == id }) else {
                    throw SimulatorError(.notFound, reason: "There is no fault with the number that 'id' says")
                }
                await simulator.clearFault(id)
                return .done
            }
            guard place.contains(where: { parameters.member($0) != nil }) else {
                try await simulator.clearFaults()
                return .done
            }
            let place = try FaultTarget(simulator, parameters)
            for fault in faults where fault.accessory == place.serialNumber {
                guard place.address == nil || fault.characteristic == place.address else { continue }
                await simulator.clearFault(fault.id)
            }
            return .done
        },
    ]
}

/// The accessory or the characteristic that a request about faults names.
private struct FaultTarget {
    let serialNumber: String
    let address: CharacteristicAddress?

    init(_ simulator: Simulator, _ parameters: FileNode) throws(SimulatorError) {
        let accessory = try parameters.required(ControlField.accessory).string()
        let service = parameters.member(ControlField.service)
        if let characteristic = try parameters.member(ControlField.characteristic)?.string() {
            address = try simulator.find(accessory, characteristic, service: try service?.string())
        } else {
            if let service { throw service.error("a service has no faults of its own; name a characteristic") }
            address = nil
        }
        serialNumber = try simulator.hosted(accessory).accessory.key
    }
}

extension ControlFault {
    fileprivate init(
        id: UInt64?,
        _ fault: String,
        _ serialNumber: String,
        _ address: CharacteristicAddress?,
        _ names: [String: String]
    ) {
        self.init(
            id: id,
            fault: fault,
            accessory: names[serialNumber] ?? serialNumber,
            serialNumber: serialNumber,
            service: address?.service,
            characteristic: address?.type.description
        )
    }
}
