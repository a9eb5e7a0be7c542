internal import HAP
internal import HAPCatalog
internal import HAPServer

extension ControlMethod {
    private typealias Key = AccessoryFileKey
    private static let information = [
        Key.name, Key.manufacturer, Key.model, Key.firmwareRevision, Key.hardwareRevision,
    ]
    private static let advertised = [Key.category, Key.setupCode, Key.setupID]
    private static let serviceSettings = [Key.name, Key.primary, Key.hidden, Key.linked, Key.delay]
    private static let serviceFields = [ControlField.accessory, ControlField.service]
    private static let characteristicFields = serviceFields + [ControlField.characteristic]

    /// The methods that edit accessories.
    static let editMethods = [
        ControlMethod("accessory.add", [ControlField.accessory, ControlField.bridge]) {
            simulator,
            parameters throws(SimulatorError) in
            let node = try parameters.required(ControlField.accessory)
            guard let bridge = try parameters.member(ControlField.bridge)?.string() else {
                let description = try AccessoryDescription(node, source: "The accessory")
                _ = try await simulator.add(description)
                return try ControlReply(try await simulator.detail(of: description.accessories[0].key))
            }
            let description = try AccessoryDescription(bridged: node)
            let accessory = description.accessories[0]
            let delays = Dictionary(uniqueKeysWithValues: description.delays.map { ($0.key.service, $0.value) })
            let habits = Dictionary(uniqueKeysWithValues: description.habits.map { ($0.key.service, $0.value) })
            try await simulator.add(accessory, behind: bridge, delays: delays, habits: habits)
            return try ControlReply(try await simulator.detail(of: accessory.key))
        },
        ControlMethod("accessory.edit", [ControlField.accessory] + information + advertised) {
            simulator,
            parameters throws(SimulatorError) in
            let name = try parameters.required(ControlField.accessory).string()
            let restarts = advertised.contains { parameters.member($0) != nil }
            guard !restarts || !information.contains(where: { parameters.member($0) != nil }) else {
                throw parameters.error(
                    "Changes of \(advertised.joined(separator: ", ")) restart the accessory; change them in a separate request"
                )
            }
            let serialNumber = try simulator.hosted(name).accessory.key
            if restarts {
                try await simulator.edit(
                    name,
                    category: try parameters.member(Key.category).map(AccessoryDescription.category),
                    setupCode: try parameters.member(Key.setupCode).map(AccessoryDescription.setupCode),
                    setupID: try parameters.member(Key.setupID)?.parsed(
                        "setup ID; use four characters from 0-9 and A-Z"
                    ) { SetupID($0) }
                )
            } else {
                try await simulator.edit(name, .information(try InformationChange(parameters)))
            }
            return try ControlReply(try await simulator.detail(of: serialNumber))
        },
        ControlMethod("accessory.remove", [ControlField.accessory]) { simulator, parameters throws(SimulatorError) in
            try await simulator.remove(try parameters.required(ControlField.accessory).string())
            return .done
        },
        ControlMethod("accessory.reset", [ControlField.accessory]) { simulator, parameters throws(SimulatorError) in
            try await simulator.reset(try parameters.required(ControlField.accessory).string())
            return .done
        },
        ControlMethod("accessory.unpair", [ControlField.accessory]) { simulator, parameters throws(SimulatorError) in
            try await simulator.unpair(try parameters.required(ControlField.accessory).string())
            return .done
        },
        ControlMethod("service.add", serviceFields) { simulator, parameters throws(SimulatorError) in
            let name = try parameters.required(ControlField.accessory).string()
            let node = try parameters.required(ControlField.service)
            let delay = try node.member(Key.delay).map(AccessoryDescription.duration)
            let service = try HostedService(node)
            let habits = try node.member(Key.habits).map { node throws(SimulatorError) in
                try AccessoryDescription.habits(node, service)
            }
            return try await edit(simulator, name, .addService(service, delay: delay, habits: habits ?? []))
        },
        ControlMethod("service.edit", serviceFields + serviceSettings) { simulator, parameters throws(SimulatorError) in
            let (accessory, service) = try service(simulator, parameters)
            return try await edit(simulator, accessory.key, .changeService(service, try ServiceChange(parameters)))
        },
        ControlMethod("service.remove", serviceFields) { simulator, parameters throws(SimulatorError) in
            let (accessory, service) = try service(simulator, parameters)
            return try await edit(simulator, accessory.key, .removeService(service))
        },
        ControlMethod("characteristic.add", characteristicFields + [ControlField.definition]) {
            simulator,
            parameters throws(SimulatorError) in
            let (accessory, service) = try service(simulator, parameters)
            let name = try parameters.required(ControlField.characteristic)
            let characteristic: HostedCharacteristic
            if let definition = parameters.member(ControlField.definition) {
                characteristic = try HostedCharacteristic(try name.string(), definition)
            } else if let standard = HostedCharacteristic(try type(name)) {
                characteristic = standard
            } else {
                throw name.error("a custom characteristic needs a definition with format and permissions")
            }
            return try await edit(simulator, accessory.key, .addCharacteristic(characteristic, service: service))
        },
        ControlMethod("characteristic.edit", characteristicFields + [ControlField.definition]) {
            simulator,
            parameters throws(SimulatorError) in
            let (accessory, service) = try service(simulator, parameters)
            let type = try type(try parameters.required(ControlField.characteristic))
            let information = HostedService.defaultKey(for: HAPType.Service.accessoryInformation)
            let characteristics =
                service == information
                ? accessory.information.additional
                : accessory.services.first { $0.key == service }?.characteristics ?? []
            guard var characteristic = characteristics.first(where: { $0.type == type }) else {
                throw SimulatorError(
                    .notFound,
                    reason: "The service '\(service)' of '\(accessory.information.name)' has no characteristic \(type)"
                )
            }
            let address = CharacteristicAddress(accessory: accessory.key, service: service, type: type)
            if let value = try await simulator.value(of: address) { characteristic.value = value }
            let changed = try characteristic.changed(try parameters.required(ControlField.definition))
            return try await edit(simulator, accessory.key, .changeCharacteristic(changed, service: service))
        },
        ControlMethod("characteristic.remove", characteristicFields) { simulator, parameters throws(SimulatorError) in
            let (accessory, service) = try service(simulator, parameters)
            let type = try type(try parameters.required(ControlField.characteristic))
            return try await edit(simulator, accessory.key, .removeCharacteristic(type, service: service))
        },
    ]

    private static func edit(
        _ simulator: Simulator,
        _ accessory: String,
        _ edit: AccessoryEdit
    ) async throws(SimulatorError) -> ControlReply {
        try await simulator.edit(accessory, edit)
        return try ControlReply(try await simulator.detail(of: accessory))
    }

    private static func service(
        _ simulator: Simulator,
        _ parameters: FileNode
    ) throws(SimulatorError) -> (accessory: HostedAccessory, service: String) {
        try simulator.find(
            try parameters.required(ControlField.accessory).string(),
            service: try parameters.required(ControlField.service).string()
        )
    }

    private static func type(_ node: FileNode) throws(SimulatorError) -> HAPType {
        let name = try node.string()
        guard let type = CharacteristicDefinition.named(name)?.type ?? HAPType(uuidText: name) else {
            throw node.error("'\(name)' is neither a characteristic of the catalog nor a UUID")
        }
        return type
    }
}

extension InformationChange {
    fileprivate init(_ node: FileNode) throws(SimulatorError) {
        self.init(
            name: try node.member(AccessoryFileKey.name)?.string(),
            manufacturer: try node.member(AccessoryFileKey.manufacturer)?.string(),
            model: try node.member(AccessoryFileKey.model)?.string(),
            firmwareRevision: try node.member(AccessoryFileKey.firmwareRevision)?.string(),
            hardwareRevision: try node.member(AccessoryFileKey.hardwareRevision)?.string()
        )
    }
}

extension ServiceChange {
    fileprivate init(_ node: FileNode) throws(SimulatorError) {
        var linked: [String]?
        if let node = node.member(AccessoryFileKey.linked) {
            linked = []
            for node in try node.elements() { linked?.append(try node.string()) }
        }
        self.init(
            name: try node.member(AccessoryFileKey.name)?.string(),
            isPrimary: try node.member(AccessoryFileKey.primary)?.flag(),
            isHidden: try node.member(AccessoryFileKey.hidden)?.flag(),
            linked: linked,
            delay: try node.member(AccessoryFileKey.delay).map(AccessoryDescription.duration)
        )
    }
}
