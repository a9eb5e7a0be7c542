internal import HAP
internal import HAPCatalog

extension ControlMethod {
    /// The methods that read accessories.
    static let accessoryMethods = [
        ControlMethod("accessory.list", []) { simulator, _ throws(SimulatorError) in
            try ControlReply(["accessories": await simulator.summaries()])
        },
        ControlMethod("accessory.show", [ControlField.accessory]) { simulator, parameters throws(SimulatorError) in
            let name = try parameters.required(ControlField.accessory).string()
            return try ControlReply(try await simulator.detail(of: name))
        },
        ControlMethod("accessory.code", [ControlField.accessory]) { simulator, parameters throws(SimulatorError) in
            let name = try parameters.required(ControlField.accessory).string()
            let summary = try await simulator.detail(of: name).summary
            guard let code = summary.setupCode, let payload = summary.setupPayload, let symbol = QRCode(payload) else {
                throw SimulatorError(.notFound, reason: "“\(summary.name)” is bridged. Use the bridge's code.")
            }
            return try ControlReply(ControlCode(setupCode: code, setupPayload: payload, symbol: symbol))
        },
        ControlMethod(
            "accessory.export",
            [ControlField.accessory, ControlField.presentValues, ControlField.identity]
        ) { simulator, parameters throws(SimulatorError) in
            let description = try await simulator.description(
                of: try parameters.required(ControlField.accessory).string(),
                presentValues: try parameters.member(ControlField.presentValues)?.flag() ?? false,
                identity: try parameters.member(ControlField.identity)?.flag() ?? false
            )
            return try ControlReply(ControlFile(file: String(decoding: description.fileText(), as: UTF8.self)))
        },
    ]
}
