internal import HAP
internal import HAPCatalog

extension ControlMethod {
    /// The methods that look at accessories.
    static let accessoryMethods = [
        ControlMethod("accessory.list", []) { simulator, _ throws(SimulatorError) in
            try ControlReply(["accessories": await simulator.summaries()])
        },
        ControlMethod("accessory.show", [ControlField.accessory]) { simulator, parameters throws(SimulatorError) in
            let name = try parameters.required(ControlField.accessory).string()
            return try ControlReply(try await simulator.detail(of: name))
        },
    ]
}
