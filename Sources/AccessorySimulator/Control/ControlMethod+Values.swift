internal import HAP
internal import HAPCatalog
internal import HAPServer

extension ControlMethod {
    private static let targetFields = [ControlField.accessory, ControlField.characteristic, ControlField.service]
    private static let press = "press"

    /// The methods that read and set values and press buttons.
    static let valueMethods = [
        ControlMethod("value.get", targetFields) { simulator, parameters throws(SimulatorError) in
            let address = try address(simulator, parameters)
            return try ControlReply(try await simulator.detail(of: address))
        },
        ControlMethod("value.set", targetFields + [ControlField.value]) {
            simulator,
            parameters throws(SimulatorError) in
            let address = try address(simulator, parameters)
            let node = try parameters.required(ControlField.value)
            let value = try node.characteristicValue()
            let named = CharacteristicDefinition.of(address.type).flatMap { definition in
                node.value.string.flatMap { definition.value(named: $0) }
            }
            try await simulator.set(named ?? value, of: address)
            return try ControlReply(try await simulator.detail(of: address))
        },
        ControlMethod("button.press", [ControlField.accessory, ControlField.service, press]) {
            simulator,
            parameters throws(SimulatorError) in
            let presses = ["single": Simulator.Press.single, "double": .double, "long": .long]
            let name = try parameters.member(press)?.parsed("press; use single, double or long") { presses[$0] }
            try await simulator.press(
                try parameters.required(ControlField.accessory).string(),
                service: try parameters.member(ControlField.service)?.string(),
                name ?? .single
            )
            return .done
        },
    ]

    private static func address(
        _ simulator: Simulator,
        _ parameters: FileNode
    ) throws(SimulatorError) -> CharacteristicAddress {
        try simulator.find(
            try parameters.required(ControlField.accessory).string(),
            try parameters.required(ControlField.characteristic).string(),
            service: try parameters.member(ControlField.service)?.string()
        )
    }
}
