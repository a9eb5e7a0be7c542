internal import HAPCatalog
internal import HAPServer

extension AccessoryDescription {
    /// The description after an edit of one of its accessories.
    ///
    /// - Parameter serialNumber: The accessory, one of ``accessories``.
    /// - Throws: ``SimulatorError`` with the code `notAllowed`, `notFound` or `invalidValue`.
    func edited(_ serialNumber: String, _ edit: AccessoryEdit) throws(SimulatorError) -> AccessoryDescription {
        guard let index = accessories.firstIndex(where: { $0.key == serialNumber }) else {
            throw SimulatorError(.notFound, reason: "There is no accessory '\(serialNumber)'")
        }
        var description = self
        try description.accessories[index].apply(edit)
        let service: (key: String, delay: Duration?)? =
            switch edit {
            case .addService(let service, let delay, _): (service.key, delay)
            case .changeService(let key, let change): change.delay.map { (key, $0) }
            case .removeService(let key): (key, nil)
            case .information, .addCharacteristic, .changeCharacteristic, .removeCharacteristic: nil
            }
        if let service {
            description.delays[ServiceAddress(accessory: serialNumber, service: service.key)] = service.delay
        }
        if case .addService(let service, _, let habits) = edit, !habits.isEmpty {
            description.habits[ServiceAddress(accessory: serialNumber, service: service.key)] = habits
        }
        description.keepPossibleHabits(of: description.accessories[index])
        do {
            try AccessoryServer.check(description.accessories)
        } catch {
            throw SimulatorError(.invalidValue, reason: error.reason)
        }
        return description
    }

    /// Drops the habits of services that are gone, and those that need a characteristic that is.
    private mutating func keepPossibleHabits(of accessory: HostedAccessory) {
        for (address, former) in habits where address.accessory == accessory.key {
            let service = accessory.services.first { $0.key == address.service }
            let types = Set(service?.characteristics.map(\.type) ?? [])
            let possible = service == nil ? [] : former.filter { types.isSuperset(of: $0.types) }
            habits[address] = possible.isEmpty ? nil : possible
        }
    }

    /// Takes other values than those that the accessories start with.
    mutating func take(_ values: [CharacteristicAddress: CharacteristicValue]) {
        for accessory in accessories.indices {
            let key = accessories[accessory].key
            for service in accessories[accessory].services.indices {
                let name = accessories[accessory].services[service].key
                for index in accessories[accessory].services[service].characteristics.indices {
                    let type = accessories[accessory].services[service].characteristics[index].type
                    let address = CharacteristicAddress(accessory: key, service: name, type: type)
                    guard let value = values[address] else { continue }
                    accessories[accessory].services[service].characteristics[index].value = value
                }
            }
        }
    }

    /// The characteristics that have another starting value, or another meaning, in a later description.
    func resets(in later: AccessoryDescription) -> Set<CharacteristicAddress> {
        var former: [CharacteristicAddress: HostedCharacteristic] = [:]
        for (address, characteristic) in characteristics { former[address] = characteristic }
        let changed = later.characteristics.filter { former[$0.0].map { $0.value } != .some($0.1.value) }
        var addresses = Set(changed.map(\.0))
        let information = HostedService.defaultKey(for: HAPType.Service.accessoryInformation)
        for accessory in later.accessories {
            // What Accessory Information says is never set by hand or by an app.
            let types = HAPType.Characteristic.self
            for type in [types.name, types.manufacturer, types.model, types.firmwareRevision, types.hardwareRevision] {
                addresses.insert(CharacteristicAddress(accessory: accessory.key, service: information, type: type))
            }
        }
        return addresses
    }

    private var characteristics: [(CharacteristicAddress, HostedCharacteristic)] {
        let information = HostedService.defaultKey(for: HAPType.Service.accessoryInformation)
        return accessories.flatMap { accessory in
            let services =
                [(information, accessory.information.additional)]
                + accessory.services.map { ($0.key, $0.characteristics) }
            return services.flatMap { key, characteristics in
                characteristics.map { characteristic in
                    let type = characteristic.type
                    return (CharacteristicAddress(accessory: accessory.key, service: key, type: type), characteristic)
                }
            }
        }
    }
}
