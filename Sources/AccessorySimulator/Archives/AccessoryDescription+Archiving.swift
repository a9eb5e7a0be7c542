internal import HAP
internal import HAPCatalog
internal import HAPServer

extension AccessoryDescription {
    /// Writes the description as an accessory file of Apple's HomeKit Accessory Simulator.
    ///
    /// - Throws: ``SimulatorError`` with the code `notAllowed` if the format doesn't support something: a bridge, a
    ///   format or unit with an unknown number, or missing IDs. The reason names it.
    public func archive() throws(SimulatorError) -> [UInt8] {
        var writer = ArchiveWriter()
        return try writer.archive(self)
    }
}

/// Writes a description as a keyed archive.
private struct ArchiveWriter {
    private typealias Key = ArchiveKey
    private typealias Subject = PreassignedIdentifiers.Subject

    /// The archive's objects. The first is null, the second the root.
    private var objects: [PropertyList] = [.string("$null"), .bool(false)]
    private var classes: [String: PropertyList] = [:]
    private var values: [PropertyList: PropertyList] = [:]

    private static let nothing = PropertyList.reference(0)
    private static let superclasses: [String: [String]] = [
        "HAKAccessoryInformationService": ["HAKService"],
        "HAKIdentifyCharacteristic": ["HAKCharacteristic"],
        "HAKStringConstraints": ["HAKValueConstraints"],
        "HAKNumberConstraints": ["HAKValueConstraints"],
        "HAKEnumerationConstraints": ["HAKNumberConstraints", "HAKValueConstraints"],
        "NSMutableArray": ["NSArray"],
    ]

    mutating func archive(_ description: AccessoryDescription) throws(SimulatorError) -> [UInt8] {
        guard let accessory = description.accessories.first, description.accessories.count == 1,
            description.category != .bridge
        else { throw Self.refusal("\(description.name) is a bridge; bridges can't be archived") }
        guard let identifiers = accessory.identifiers, let setupCode = description.setupCode,
            let setupID = description.setupID, let deviceID = description.deviceID
        else {
            throw Self.refusal(
                "\(description.name) lacks IDs, a setup code, a setup ID or a device ID; export them too"
            )
        }
        let accessoryReference = reserve()
        let pool = max(identifiers.lastIID ?? 0, identifiers.iids.values.max() ?? 0)
        let services = accessory.archivedServices
        var references: [String: PropertyList] = [:]
        for service in services { references[service.key] = reserve() }
        for service in services {
            guard case .reference(let index)? = references[service.key] else { continue }
            objects[index] = try archived(service, accessoryReference, references, identifiers, accessory.key)
        }
        let primary = services.first(where: \.isPrimary).flatMap { references[$0.key] }
        let identifier = object(
            "HAKIdentifier",
            [Key.data: value(.data(deviceID.description.split(separator: ":").compactMap { UInt8($0, radix: 16) }))]
        )
        guard case .reference(let index) = accessoryReference else { return [] }
        objects[index] = .dictionary([
            "$class": reference(toClass: "HAKAccessory"),
            Key.category: .integer(Int64(description.category.rawValue)),
            Key.idPool: .integer(Int64(pool)),
            Key.accessoryVersion: .integer(1),
            Key.instanceID: value(.integer(1)),
            Key.password: value(.string(setupCode.dashed)),
            Key.setupID: value(.string(setupID.description)),
            Key.identifier: identifier,
            Key.services: array(services.compactMap { references[$0.key] }),
            Key.primary: primary ?? Self.nothing,
            Key.bridge: Self.nothing,
            Key.bridged: array([]),
            Key.transports: array([]),
        ])
        let keys = [Key.kind, Key.version, Key.accessory].map { value(.string($0)) }
        let members = [value(.string(Key.accessoryKind)), value(.integer(ArchiveTables.version)), accessoryReference]
        objects[1] = .dictionary([
            "$class": reference(toClass: "NSDictionary"), "NS.keys": .array(keys), "NS.objects": .array(members),
        ])
        let archive = PropertyList.dictionary([
            "$version": .integer(100_000), "$archiver": .string("NSKeyedArchiver"),
            "$top": .dictionary(["root": .reference(1)]), "$objects": .array(objects),
        ])
        return archive.encoded()
    }

    private mutating func archived(
        _ service: HostedService,
        _ accessory: PropertyList,
        _ references: [String: PropertyList],
        _ identifiers: PreassignedIdentifiers,
        _ name: String
    ) throws(SimulatorError) -> PropertyList {
        let isInformation = service.type == HAPType.Service.accessoryInformation
        let own = references[service.key] ?? Self.nothing
        var characteristics: [PropertyList] = []
        for characteristic in service.characteristics {
            let path = "\(name)/\(service.key)/\(characteristic.type)"
            let subject = Subject(service: service.key, characteristic: characteristic.type)
            guard let iid = identifiers.iids[subject] else { throw Self.refusal("\(path) has no iid") }
            characteristics.append(try archived(characteristic, iid, own, path))
        }
        guard let iid = identifiers.iids[Subject(service: service.key)] else {
            throw Self.refusal("\(name)/\(service.key) has no iid")
        }
        return .dictionary([
            "$class": reference(toClass: isInformation ? "HAKAccessoryInformationService" : "HAKService"),
            Key.owner: accessory,
            Key.uuid: uuid(service.type),
            Key.instanceID: value(.integer(Int64(clamping: iid))),
            Key.hidden: value(.bool(service.isHidden)),
            Key.linked: array(service.linked.compactMap { references[$0] }),
            Key.characteristics: array(characteristics),
        ])
    }

    private mutating func archived(
        _ characteristic: HostedCharacteristic,
        _ iid: UInt64,
        _ service: PropertyList,
        _ path: String
    ) throws(SimulatorError) -> PropertyList {
        let metadata = characteristic.metadata
        guard let format = ArchiveTables.formats.first(where: { $0.value == metadata.format })?.key else {
            throw Self.refusal("\(path): the number of the format \(metadata.format) is unknown")
        }
        var unit = ArchiveTables.noUnit
        if let named = metadata.unit {
            guard let number = ArchiveTables.units.first(where: { $0.value == named })?.key else {
                throw Self.refusal("\(path): the number of the unit \(named) is unknown")
            }
            unit = number
        }
        var (properties, permissions) = (Int64(0), Int64(0))
        var rest = characteristic.permissions
        for (bit, permission) in ArchiveTables.properties where rest.contains(permission) {
            properties |= bit
            permissions |= ArchiveTables.securedPermissions[permission] ?? 0
            rest.remove(permission)
        }
        guard rest.isEmpty else { throw Self.refusal("\(path): this format doesn't support the permissions \(rest)") }
        guard metadata.maxDataLength == nil, metadata.validRanges == nil else {
            throw Self.refusal("\(path): this format doesn't support a maximum data length or ranges of values")
        }
        guard metadata.maxLength == nil || !metadata.hasNumericConstraints else {
            throw Self.refusal("\(path): this format doesn't support a maximum length besides a range of values")
        }
        let isIdentify = characteristic.type == HAPType.Characteristic.identify
        return object(
            isIdentify ? "HAKIdentifyCharacteristic" : "HAKCharacteristic",
            [
                Key.ownerService: service,
                Key.delegate: Self.nothing,
                Key.uuid: uuid(characteristic.type),
                Key.instanceID: value(.integer(Int64(clamping: iid))),
                Key.description: metadata.manufacturerDescription.map { value(.string($0)) } ?? Self.nothing,
                Key.value: characteristic.value.map { value(Self.plain($0)) } ?? Self.nothing,
                Key.format: .integer(format),
                Key.properties: .integer(properties),
                Key.permissions: .integer(permissions),
                Key.unit: .integer(unit),
                Key.constraints: constraints(metadata, CharacteristicDefinition.of(characteristic.type)),
            ]
        )
    }

    private mutating func constraints(
        _ metadata: CharacteristicMetadata,
        _ definition: CharacteristicDefinition?
    ) -> PropertyList {
        if let length = metadata.maxLength {
            return object("HAKStringConstraints", [Key.maxLength: value(.integer(Int64(length)))])
        }
        var members: [String: PropertyList] = [:]
        let bounds = [
            (Key.minimum, metadata.minValue), (Key.maximum, metadata.maxValue), (Key.step, metadata.stepValue),
        ]
        for (key, bound) in bounds {
            if let bound { members[key] = value(Self.plain(bound)) }
        }
        guard let valid = metadata.validValues else {
            return members.isEmpty ? Self.nothing : object("HAKNumberConstraints", members)
        }
        let labels = valid.map { number in
            value(.string(definition?.namedValues.first { $0.value == number }?.name ?? String(number)))
        }
        members[Key.validValues] = object(
            "NSDictionary",
            ["NS.keys": .array(valid.map { value(.integer($0)) }), "NS.objects": .array(labels)]
        )
        return object("HAKEnumerationConstraints", members)
    }

    private static func plain(_ value: CharacteristicValue) -> PropertyList {
        switch value {
        case .bool(let flag): .bool(flag)
        case .integer(let number): .integer(number)
        case .unsigned(let number): .real(Double(number))
        case .double(let number): Int64(exactly: number).map { .integer($0) } ?? .real(number)
        case .string(let text): .string(text)
        case .data(let bytes): .data(bytes)
        }
    }

    private mutating func uuid(_ type: HAPType) -> PropertyList {
        let bytes = (0..<16).reversed().map { UInt8(truncatingIfNeeded: type.uuid >> (8 * UInt128($0))) }
        return object(
            "HAKUUID",
            [
                "HAKUUID.version": .integer(1), "HAK.type": .integer(type.isApple ? 1 : 0),
                Key.uuid: object("NSUUID", [Key.uuidBytes: .data(bytes)]),
            ]
        )
    }

    // MARK: Objects

    private mutating func reserve() -> PropertyList {
        objects.append(.bool(false))
        return .reference(objects.count - 1)
    }

    private mutating func add(_ object: PropertyList) -> PropertyList {
        objects.append(object)
        return .reference(objects.count - 1)
    }

    /// Adds a value. Equal values share one object.
    private mutating func value(_ value: PropertyList) -> PropertyList {
        if let reference = values[value] { return reference }
        let reference = add(value)
        values[value] = reference
        return reference
    }

    private mutating func object(_ name: String, _ members: [String: PropertyList]) -> PropertyList {
        var members = members
        members["$class"] = reference(toClass: name)
        return add(.dictionary(members))
    }

    private mutating func array(_ elements: [PropertyList]) -> PropertyList {
        object("NSMutableArray", ["NS.objects": .array(elements)])
    }

    private mutating func reference(toClass name: String) -> PropertyList {
        if let reference = classes[name] { return reference }
        let lineage = [name] + (Self.superclasses[name] ?? []) + ["NSObject"]
        let reference = add(
            .dictionary(["$classname": .string(name), "$classes": .array(lineage.map { .string($0) })])
        )
        classes[name] = reference
        return reference
    }

    private static func refusal(_ reason: String) -> SimulatorError {
        SimulatorError(.notAllowed, reason: reason)
    }
}

extension HostedAccessory {
    /// The services of an archive, which include those that the server adds to the accessory by itself.
    var archivedServices: [HostedService] {
        let types = HAPType.Characteristic.self
        let texts: [(HAPType, String?)] = [
            (types.manufacturer, information.manufacturer), (types.model, information.model),
            (types.name, information.name), (types.serialNumber, information.serialNumber),
            (types.firmwareRevision, information.firmwareRevision),
            (types.hardwareRevision, information.hardwareRevision),
        ]
        let standard = texts.compactMap { type, text in text.flatMap { HostedCharacteristic(type, value: .string($0)) }
        }
        let identify = [HostedCharacteristic(types.identify)].compactMap(\.self)
        let version = [HostedCharacteristic(types.version, value: .string(HAPVersion.characteristic))].compactMap(
            \.self
        )
        return [
            HostedService(
                HAPType.Service.accessoryInformation,
                characteristics: identify + standard + information.additional
            ),
            HostedService(HAPType.Service.protocolInformation, characteristics: version),
        ] + services
    }
}

extension HostedService {
    /// What has an IID of its own: the service and its characteristics.
    var identifierSubjects: [PreassignedIdentifiers.Subject] {
        [PreassignedIdentifiers.Subject(service: key)]
            + characteristics.map { PreassignedIdentifiers.Subject(service: key, characteristic: $0.type) }
    }
}

extension CharacteristicMetadata {
    fileprivate var hasNumericConstraints: Bool {
        minValue != nil || maxValue != nil || stepValue != nil || validValues != nil
    }
}
