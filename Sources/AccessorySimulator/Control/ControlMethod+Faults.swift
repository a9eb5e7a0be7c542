internal import HAP
internal import HAPCatalog
internal import HAPServer

extension ControlMethod {
    private static let targetFields = [ControlField.accessory, ControlField.characteristic, ControlField.service]
    private static let fault = "fault"
    private static let id = "id"

    /// The methods that inject and clear faults.
    static let faultMethods = [
        ControlMethod("fault.inject", targetFields + [fault]) { simulator, parameters throws(SimulatorError) in
            let target = try FaultTarget(simulator, parameters)
            let node = try parameters.required(fault)
            let fault: Fault
            do throws(SimulatorError) {
                fault = try Fault(try node.string())
            } catch {
                throw SimulatorError(error.code, reason: node.error(error.reason).reason)
            }
            let id = try await simulator.inject(
                fault,
                into: target.serialNumber,
                characteristic: target.address?.type.longForm,
                service: target.address?.service
            )
            return try ControlReply(
                ControlFault(id: id, "\(fault)", target.serialNumber, target.address, simulator.names)
            )
        },
        ControlMethod("fault.list", [ControlField.accessory]) { simulator, parameters throws(SimulatorError) in
            let target = try parameters.member(ControlField.accessory) == nil ? nil : FaultTarget(simulator, parameters)
            let names = simulator.names
            let faults = await simulator.injectedFaults.filter { target == nil || $0.accessory == target?.serialNumber }
            return try ControlReply(
                ControlFaults(
                    faults: faults.map {
                        ControlFault(id: $0.id, "\($0.fault)", $0.accessory, $0.characteristic, names)
                    }
                )
            )
        },
        /// Clears a fault by its number, or all faults of a characteristic, of an accessory, or of the simulator.
        ControlMethod("fault.clear", targetFields + [id]) { simulator, parameters throws(SimulatorError) in
            let faults = await simulator.injectedFaults
            if let node = parameters.member(id) {
                guard !targetFields.contains(where: { parameters.member($0) != nil }) else {
                    throw node.error("the number identifies the fault; omit \(targetFields.joined(separator: ", "))")
                }
                guard let id = UInt64(exactly: try node.integer()), faults.contains(where: { $0.id == id }) else {
                    throw SimulatorError(.notFound, reason: "No fault has the number given by 'id'")
                }
                await simulator.clearFault(id)
                return .done
            }
            guard targetFields.contains(where: { parameters.member($0) != nil }) else {
                try await simulator.clearFaults()
                return .done
            }
            let target = try FaultTarget(simulator, parameters)
            for fault in faults where fault.accessory == target.serialNumber {
                guard target.address == nil || fault.characteristic == target.address else { continue }
                await simulator.clearFault(fault.id)
            }
            return .done
        },
    ]
}

/// The accessory or characteristic that a fault request refers to.
private struct FaultTarget {
    let serialNumber: String
    let address: CharacteristicAddress?

    init(_ simulator: Simulator, _ parameters: FileNode) throws(SimulatorError) {
        let accessory = try parameters.required(ControlField.accessory).string()
        let service = parameters.member(ControlField.service)
        if let characteristic = try parameters.member(ControlField.characteristic)?.string() {
            address = try simulator.find(accessory, characteristic, service: try service?.string())
        } else {
            if let service { throw service.error("a service can't have faults; specify a characteristic") }
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
