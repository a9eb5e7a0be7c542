internal import HAPCatalog
internal import HAPServer

extension HostedAccessory {
    private static let informationKey = HostedService.defaultKey(for: HAPType.Service.accessoryInformation)
    /// The services that the server adds automatically.
    private static let fixed = [
        informationKey, HostedService.defaultKey(for: HAPType.Service.protocolInformation),
    ]
    /// The standard characteristics of Accessory Information.
    static let standardInformation: [HAPType] = [
        HAPType.Characteristic.identify, HAPType.Characteristic.manufacturer, HAPType.Characteristic.model,
        HAPType.Characteristic.name, HAPType.Characteristic.serialNumber, HAPType.Characteristic.firmwareRevision,
        HAPType.Characteristic.hardwareRevision,
    ]

    /// Applies an edit. If it throws, nothing is changed.
    mutating func apply(_ edit: AccessoryEdit) throws(SimulatorError) {
        switch edit {
        case .information(let change): information.apply(change)
        case .addService(let service, _, _): try add(service)
        case .changeService(let key, let change): try self.change(key, change)
        case .removeService(let key): try remove(key)
        case .addCharacteristic(let characteristic, let key):
            let subject = subject(key)
            try self.edit(key, characteristic.type) { characteristics, index throws(SimulatorError) in
                guard index == nil else {
                    throw .notAllowed(
                        "\(subject) already has the characteristic \(characteristic.type); a service has each type "
                            + "of characteristic once"
                    )
                }
                characteristics.append(characteristic)
            }
        case .changeCharacteristic(let characteristic, let key):
            let missing = missing(characteristic.type, in: key)
            try self.edit(key, characteristic.type) { characteristics, index throws(SimulatorError) in
                guard let index else { throw missing }
                characteristics[index] = characteristic
            }
        case .removeCharacteristic(let type, let key):
            let service = services.first { $0.key == key }
            if let service, ServiceDefinition.of(service.type)?.required.contains(type) == true {
                throw .notAllowed("\(subject(key)): a \(service.type) service requires \(type); it can't be removed")
            }
            if key == Self.informationKey, type == HAPType.Characteristic.hardwareRevision,
                information.hardwareRevision != nil
            {
                information.hardwareRevision = nil
                return
            }
            let (subject, missing) = (subject(key), missing(type, in: key))
            try self.edit(key, type) { characteristics, index throws(SimulatorError) in
                guard let index else { throw missing }
                guard characteristics.count > 1 || key == Self.informationKey else {
                    throw .notAllowed("\(subject) needs at least one characteristic; remove the service instead")
                }
                characteristics.remove(at: index)
            }
        }
    }

    private func subject(_ service: String) -> String { "The service '\(service)' of '\(information.name)'" }

    private func missing(_ type: HAPType, in service: String) -> SimulatorError {
        SimulatorError(.notFound, reason: "\(subject(service)) has no characteristic \(type)")
    }

    private func index(_ key: String) throws(SimulatorError) -> Int {
        guard let index = services.firstIndex(where: { $0.key == key }) else {
            if Self.fixed.contains(key) {
                throw .notAllowed("\(subject(key)) is required of every accessory and can't be changed")
            }
            let keys = services.map(\.key).joined(separator: ", ")
            throw SimulatorError(.notFound, reason: "'\(information.name)' has no service '\(key)'; it has: \(keys)")
        }
        return index
    }

    private mutating func add(_ service: HostedService) throws(SimulatorError) {
        guard !services.contains(where: { $0.key == service.key }) else {
            throw .notAllowed(
                "'\(information.name)' already has a service with the key '\(service.key)'; give the new one another key"
            )
        }
        let reserved = [
            HAPType.Service.accessoryInformation, HAPType.Service.protocolInformation, HAPType.Service.pairing,
        ]
        guard !reserved.contains(service.type), !Self.fixed.contains(service.key) else {
            throw .notAllowed("Every accessory has one \(service.type) service; another one can't be added")
        }
        if service.isPrimary { clearPrimary() }
        services.append(service)
    }

    private mutating func clearPrimary() {
        for index in services.indices { services[index].isPrimary = false }
    }

    private mutating func change(_ key: String, _ change: ServiceChange) throws(SimulatorError) {
        let index = try index(key)
        if let name = change.name { services[index].rename(name) }
        if let isPrimary = change.isPrimary {
            if isPrimary { clearPrimary() }
            services[index].isPrimary = isPrimary
        }
        if let isHidden = change.isHidden { services[index].isHidden = isHidden }
        if let linked = change.linked { services[index].linked = linked }
    }

    private mutating func remove(_ key: String) throws(SimulatorError) {
        services.remove(at: try index(key))
        for index in services.indices { services[index].linked.removeAll { $0 == key } }
    }

    /// Edits the characteristics of a service, or the manufacturer's additions to Accessory Information.
    ///
    /// - Parameter body: A closure that receives the characteristics, and the index of the characteristic among them.
    private mutating func edit(
        _ key: String,
        _ type: HAPType,
        _ body: (inout [HostedCharacteristic], Int?) throws(SimulatorError) -> Void
    ) throws(SimulatorError) {
        guard key != Self.informationKey else {
            guard !Self.standardInformation.contains(type) else {
                throw .notAllowed(
                    "\(subject(key)): every accessory has \(type) there once; it can't be removed, and is changed by the "
                        + "accessory's own fields"
                )
            }
            return try body(&information.additional, information.additional.firstIndex { $0.type == type })
        }
        let index = try index(key)
        try body(&services[index].characteristics, services[index].characteristics.firstIndex { $0.type == type })
    }
}

extension AccessoryInformation {
    fileprivate mutating func apply(_ change: InformationChange) {
        if let name = change.name { self.name = name }
        if let manufacturer = change.manufacturer { self.manufacturer = manufacturer }
        if let model = change.model { self.model = model }
        if let revision = change.firmwareRevision { firmwareRevision = revision }
        if let revision = change.hardwareRevision { hardwareRevision = revision }
    }
}

extension HostedService {
    fileprivate mutating func rename(_ name: String) {
        let type = HAPType.Characteristic.name
        if let index = characteristics.firstIndex(where: { $0.type == type }) {
            characteristics[index].value = .string(name)
        } else if let characteristic = HostedCharacteristic(type, value: .string(name)) {
            characteristics.insert(characteristic, at: 0)
        }
    }
}

extension SimulatorError {
    fileprivate static func notAllowed(_ reason: String) -> SimulatorError {
        SimulatorError(.notAllowed, reason: reason)
    }
}
