internal import HAPCatalog

extension HostedAccessory {
    /// The accessory as the server serves it: checked, with the services that every accessory has, and with values in
    /// the form that their formats ask for.
    ///
    /// - Parameter isPrimary: Whether it is the first of its server, which also tells the protocol's version.
    /// - Throws: ``AccessoryServerError`` with the code `invalidAccessory` that names the service and characteristic.
    func completed(isPrimary: Bool) throws(AccessoryServerError) -> HostedAccessory {
        guard !key.isEmpty else { throw .invalid("An accessory has an empty key") }
        var accessory = self
        let added = isPrimary ? [try informationService(), .protocolInformation] : [try informationService()]
        let reserved = added.map(\.type) + [HAPType.Service.pairing, HAPType.Service.protocolInformation]
        if let service = services.first(where: { reserved.contains($0.type) }) {
            throw .invalid("\(key): the service \(service.type) is added by the server, leave it out")
        }
        accessory.services = added + services
        guard accessory.services.count <= HAPLimits.services else {
            throw .invalid("\(key) has \(accessory.services.count) services; at most \(HAPLimits.services) are allowed")
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

    /// The Accessory Information service.
    private func informationService() throws(AccessoryServerError) -> HostedService {
        let stringLength = 1...HAPLimits.defaultStringLength
        try check(information.name, "name", stringLength)
        try check(information.manufacturer, "manufacturer", stringLength)
        try check(information.model, "model", HAPLimits.modelLength)
        try check(information.serialNumber, "serial number", HAPLimits.serialNumberLength)
        for revision in [information.firmwareRevision, information.hardwareRevision].compactMap(\.self) {
            guard Self.isRevision(revision) else {
                throw .invalid("\(key): '\(revision)' is no revision; write x, x.y or x.y.z with decimal numbers")
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

    private func check(_ text: String, _ what: String, _ length: ClosedRange<Int>) throws(AccessoryServerError) {
        guard length.contains(text.utf8.count) else {
            throw .invalid(
                "\(key): the \(what) '\(text)' has \(text.utf8.count) bytes; \(length.lowerBound) to "
                    + "\(length.upperBound) are allowed"
            )
        }
    }

    /// Whether a text is one to three decimal numbers with points between them.
    private static func isRevision(_ text: String) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return (1...3).contains(parts.count)
            && parts.allSatisfy {
                UInt32($0) != nil && $0.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains)
            }
    }
}

extension PreassignedIdentifiers {
    /// The highest id: controllers hold IDs in 64 bits, some of them with a sign.
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
                throw .invalid("\(accessory): the iid 1 is that of Accessory Information, which has no other")
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

    /// Checks the service and brings its values into their form.
    fileprivate mutating func complete(in accessory: String, keys: Set<String>) throws(AccessoryServerError) {
        let place = "\(accessory)/\(key)"
        guard !key.isEmpty, !key.contains(IdentifierTable.separator) else {
            throw .invalid("\(place): the key of a service must not be empty or hold a '\(IdentifierTable.separator)'")
        }
        guard (1...HAPLimits.characteristics).contains(characteristics.count) else {
            throw .invalid(
                "\(place) has \(characteristics.count) characteristics; 1 to \(HAPLimits.characteristics) are allowed"
            )
        }
        for link in linked {
            guard link != key, keys.contains(link) else {
                throw .invalid("\(place) links '\(link)', which is no other service of the accessory")
            }
        }
        guard Set(linked).count == linked.count else { throw .invalid("\(place) links a service twice") }
        var types: Set<HAPType> = []
        for index in characteristics.indices {
            let type = characteristics[index].type
            guard types.insert(type).inserted else {
                throw .invalid("\(place) has the characteristic \(type) twice; once is allowed")
            }
            try characteristics[index].complete(at: "\(place)/\(type)")
        }
        if characteristics.allSatisfy({ $0.permissions.contains(.hidden) }) { isHidden = true }
    }
}

extension HostedCharacteristic {
    /// Checks the characteristic and brings its value into its form.
    fileprivate mutating func complete(at place: @autoclosure () -> String) throws(AccessoryServerError) {
        if case .other(let name) = metadata.format {
            throw .invalid("\(place()): '\(name)' is no format")
        }
        if let maxLength = metadata.maxLength, maxLength > HAPLimits.stringLength {
            throw .invalid("\(place()): a maximum length of \(maxLength) is over \(HAPLimits.stringLength)")
        }
        guard permissions.contains(.read), !isStateless else {
            value = nil
            return
        }
        guard let given = value else { throw .invalid("\(place()) can be read and needs a value") }
        do {
            value = try metadata.validate(given, checkingStep: false)
        } catch {
            throw .invalid("\(place()): \(error)")
        }
    }
}

extension AccessoryServerError {
    fileprivate static func invalid(_ reason: String) -> AccessoryServerError {
        AccessoryServerError(.invalidAccessory, reason: reason)
    }
}
