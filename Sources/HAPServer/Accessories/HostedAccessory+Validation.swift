internal import HAPCatalog

extension HostedAccessory {
    /// Returns the accessory in the form that the server serves: validated, with the services that every accessory has,
    /// and with values converted to their formats.
    ///
    /// - Parameter isPrimary: Whether it is the primary accessory, which also has the Protocol Information service.
    /// - Throws: ``AccessoryServerError`` with the code `invalidAccessory` that names the service and characteristic.
    func completed(isPrimary: Bool) throws(AccessoryServerError) -> HostedAccessory {
        guard !key.isEmpty else { throw .invalid("An accessory has an empty key") }
        var accessory = self
        let added = isPrimary ? [try informationService(), .protocolInformation] : [try informationService()]
        let reserved = added.map(\.type) + [HAPType.Service.pairing, HAPType.Service.protocolInformation]
        if let service = services.first(where: { reserved.contains($0.type) }) {
            throw .invalid("\(key): the server adds the service \(service.type); leave it out")
        }
        accessory.services = added + services
        guard accessory.services.count <= HAPLimits.services else {
            throw .invalid("\(key) has \(accessory.services.count) services; the maximum is \(HAPLimits.services)")
        }
        var keys: Set<String> = []
        for service in accessory.services where !keys.insert(service.key).inserted {
            throw .invalid("\(key) has two services with the key '\(service.key)'; give each its own")
        }
        guard accessory.services.count(where: \.isPrimary) <= 1 else {
            throw .invalid("\(key) has more than one primary service")
        }
        for index in accessory.services.indices {
            try accessory.services[index].complete(in: key, keys: keys)
        }
        try identifiers?.check(in: key, isPrimary: isPrimary)
        return accessory
    }

    /// Returns the Accessory Information service.
    private func informationService() throws(AccessoryServerError) -> HostedService {
        let stringLength = 1...HAPLimits.defaultStringLength
        try check(information.name, "name", stringLength)
        try check(information.manufacturer, "manufacturer", stringLength)
        try check(information.model, "model", HAPLimits.modelLength)
        try check(information.serialNumber, "serial number", HAPLimits.serialNumberLength)
        for revision in [information.firmwareRevision, information.hardwareRevision].compactMap(\.self) {
            guard Self.isRevision(revision) else {
                throw .invalid("\(key): '\(revision)' is not a revision; use x, x.y or x.y.z with decimal numbers")
            }
        }
        let type = HAPType.Characteristic.self
        let values: [(HAPType, CharacteristicValue?)] = [
            (type.identify, nil),
            (type.manufacturer, .string(information.manufacturer)),
            (type.model, .string(information.model)),
            (type.name, .string(information.name)),
            (type.serialNumber, .string(information.serialNumber)),
            (type.firmwareRevision, .string(information.firmwareRevision)),
            (type.hardwareRevision, information.hardwareRevision.map { .string($0) }),
        ]
        let standard = values.compactMap { type, value in
            value == nil && type == HAPType.Characteristic.hardwareRevision
                ? nil : HostedCharacteristic(type, value: value)
        }
        return HostedService(
            HAPType.Service.accessoryInformation,
            characteristics: standard + information.additional
        )
    }

    private func check(_ text: String, _ field: String, _ length: ClosedRange<Int>) throws(AccessoryServerError) {
        guard length.contains(text.utf8.count) else {
            throw .invalid(
                "\(key): the \(field) '\(text)' has \(text.utf8.count) bytes; \(length.lowerBound) to "
                    + "\(length.upperBound) are allowed"
            )
        }
    }

    /// Returns whether a string is one to three decimal numbers separated by periods.
    private static func isRevision(_ text: String) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return (1...3).contains(parts.count)
            && parts.allSatisfy {
                UInt32($0) != nil && $0.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains)
            }
    }
}

extension PreassignedIdentifiers {
    /// The maximum ID. Controllers use 64-bit integers for IDs, and some use signed ones.
    static let highest = UInt64(Int64.max) - 1

    fileprivate func check(in accessory: String, isPrimary: Bool) throws(AccessoryServerError) {
        if let aid {
            guard (1...Self.highest).contains(aid), isPrimary == (aid == HAPLimits.primaryAccessoryID) else {
                throw .invalid("\(accessory): its aid cannot be \(aid); the first accessory has 1, others have more")
            }
        }
        var owners: [UInt64: String] = [:]
        for (subject, iid) in iids.sorted(by: { $0.value < $1.value }) {
            guard (1...Self.highest).contains(iid) else { throw .invalid("\(accessory): \(iid) cannot be an iid") }
            let isInformation = subject == Subject(service: HostedService.informationKey)
            guard isInformation == (iid == HAPLimits.accessoryInformationID) else {
                throw .invalid("\(accessory): the iid 1 is reserved for Accessory Information, which must have it")
            }
            let name = subject.characteristic.map { "\(subject.service)/\($0)" } ?? subject.service
            if let other = owners.updateValue(name, forKey: iid) {
                throw .invalid("\(accessory): \(other) and \(name) have the iid \(iid); give each its own")
            }
        }
        if let lastIID, lastIID > Self.highest { throw .invalid("\(accessory): \(lastIID) cannot be an iid") }
    }
}

extension HostedService {
    /// The key of the Accessory Information service.
    static let informationKey = defaultKey(for: HAPType.Service.accessoryInformation)

    /// The Protocol Information service of a primary accessory.
    fileprivate static var protocolInformation: HostedService {
        HostedService(
            HAPType.Service.protocolInformation,
            characteristics: [
                HostedCharacteristic(
                    HAPType.Characteristic.version,
                    value: .string(HAPVersion.characteristic)
                )
            ].compactMap(\.self)
        )
    }

    /// Validates the service and converts its values to their formats.
    fileprivate mutating func complete(in accessory: String, keys: Set<String>) throws(AccessoryServerError) {
        let path = "\(accessory)/\(key)"
        guard !key.isEmpty, !key.contains(IdentifierTable.separator) else {
            throw .invalid("\(path): the key of a service must not be empty or contain '\(IdentifierTable.separator)'")
        }
        guard (1...HAPLimits.characteristics).contains(characteristics.count) else {
            throw .invalid(
                "\(path) has \(characteristics.count) characteristics; 1 to \(HAPLimits.characteristics) are allowed"
            )
        }
        for link in linked {
            guard link != key, keys.contains(link) else {
                throw .invalid("\(path) links to '\(link)', which is not another service of the accessory")
            }
        }
        guard Set(linked).count == linked.count else { throw .invalid("\(path) links to a service twice") }
        var types: Set<HAPType> = []
        for index in characteristics.indices {
            let type = characteristics[index].type
            guard types.insert(type).inserted else {
                throw .invalid("\(path) has the characteristic \(type) twice; remove one")
            }
            try characteristics[index].complete(at: "\(path)/\(type)")
        }
        if characteristics.allSatisfy({ $0.permissions.contains(.hidden) }) { isHidden = true }
    }
}

extension HostedCharacteristic {
    /// Validates the characteristic and converts its value to its format.
    fileprivate mutating func complete(at path: @autoclosure () -> String) throws(AccessoryServerError) {
        if case .other(let name) = metadata.format {
            throw .invalid("\(path()): '\(name)' is not a format")
        }
        if let maxLength = metadata.maxLength, maxLength > HAPLimits.stringLength {
            throw .invalid("\(path()): the maximum length \(maxLength) is greater than \(HAPLimits.stringLength)")
        }
        guard permissions.contains(.read), !isStateless else {
            value = nil
            return
        }
        guard let input = value else { throw .invalid("\(path()) is readable and needs a value") }
        do {
            value = try metadata.validate(input, checkingStep: false)
        } catch {
            throw .invalid("\(path()): \(error)")
        }
    }
}

extension AccessoryServerError {
    fileprivate static func invalid(_ reason: String) -> AccessoryServerError {
        AccessoryServerError(.invalidAccessory, reason: reason)
    }
}
