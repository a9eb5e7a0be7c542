internal import HAPCatalog
internal import HAPServer

extension AccessoryDescription {
    /// Returns the description after an edit of one of its accessories.
    ///
    /// - Parameter serialNumber: The serial number of one of the ``accessories``.
    /// - Throws: ``SimulatorError`` with the code `notAllowed`, `notFound` or `invalidValue`.
    func edited(_ serialNumber: String, _ edit: AccessoryEdit) throws(SimulatorError) -> AccessoryDescription {
        guard let index = accessories.firstIndex(where: { $0.key == serialNumber }) else {
            throw SimulatorError(.notFound, reason: "No accessory has the serial number '\(serialNumber)'")
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
        description.removeImpossibleHabits(of: description.accessories[index])
        do {
            try AccessoryServer.check(description.accessories)
        } catch {
            throw SimulatorError(.invalidValue, reason: error.reason)
        }
        return description
    }

    /// Removes the habits of removed services, and those that require a removed characteristic.
    private mutating func removeImpossibleHabits(of accessory: HostedAccessory) {
        for (address, habits) in self.habits where address.accessory == accessory.key {
            let service = accessory.services.first { $0.key == address.service }
            let types = Set(service?.characteristics.map(\.type) ?? [])
            let possible = service == nil ? [] : habits.filter { types.isSuperset(of: $0.types) }
            self.habits[address] = possible.isEmpty ? nil : possible
        }
    }

    /// Replaces the accessories' initial values.
    mutating func setValues(_ values: [CharacteristicAddress: CharacteristicValue]) {
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

    /// Returns the characteristics whose initial value or meaning differs in a later description.
    func resets(in later: AccessoryDescription) -> Set<CharacteristicAddress> {
        var previous: [CharacteristicAddress: HostedCharacteristic] = [:]
        for (address, characteristic) in characteristics { previous[address] = characteristic }
        let changed = later.characteristics.filter { previous[$0.0].map { $0.value } != .some($0.1.value) }
        var addresses = Set(changed.map(\.0))
        let information = HostedService.defaultKey(for: HAPType.Service.accessoryInformation)
        for accessory in later.accessories {
            // Accessory Information is never changed by users or apps.
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
