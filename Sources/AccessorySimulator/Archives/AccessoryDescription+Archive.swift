internal import HAP
internal import HAPCatalog
internal import HAPServer

extension AccessoryDescription {
    /// Reads an accessory file of Apple's HomeKit Accessory Simulator (`.hasaccessory`). Required characteristics that it doesn't
    /// contain are added with their default values.
    ///
    /// - Returns: The description, and the omitted parts of the file with their paths.
    /// - Throws: ``SimulatorError`` with the code `invalidFile`; the reason names the path.
    public static func importing(
        archive bytes: [UInt8],
        source: String
    ) throws(SimulatorError) -> (description: AccessoryDescription, omitted: [String]) {
        guard bytes.count <= fileSize else {
            throw SimulatorError(.invalidFile, reason: "\(source) is larger than \(fileSize) bytes")
        }
        var reader = ArchiveReader()
        let description = try reader.description(try ArchiveNode(archive: bytes, source: source), source)
        do {
            try AccessoryServer.check(description.accessories)
        } catch {
            throw SimulatorError(.invalidFile, reason: "\(source): \(error.reason)")
        }
        return (description, reader.omitted)
    }
}

/// Reads a description from an archive and records the parts it omits.
private struct ArchiveReader {
    private typealias Key = ArchiveKey
    private typealias Subject = PreassignedIdentifiers.Subject

    var omitted: [String] = []

    private mutating func omit(_ node: ArchiveNode, _ what: String) {
        omitted.append("\(node.path): \(what)")
    }

    private mutating func omitUnknown(_ node: ArchiveNode, except known: Set<String>) {
        for key in node.keys where !known.contains(key) { omit(node, "the unknown key '\(key)' was omitted") }
    }

    mutating func description(_ root: ArchiveNode, _ source: String) throws(SimulatorError) -> AccessoryDescription {
        var members: [String: ArchiveNode] = [:]
        for (key, value) in try root.members() { members[try key.string()] = value }
        guard let kind = try members[Key.kind]?.string(), let version = try members[Key.version]?.integer(),
            let node = members[Key.accessory]
        else { throw root.error("expected kind, version and accessory") }
        guard kind == Key.accessoryKind else { throw root.error("unknown kind '\(kind)'") }
        guard version == ArchiveTables.version else { throw root.error("unknown version \(version)") }
        omitUnknown(node, except: Key.ofAccessory)
        for key in [Key.bridge, Key.bridged] {
            guard let node = node.member(key) else { continue }
            if key == Key.bridged, try node.elements().isEmpty { continue }
            throw node.error("bridges are not supported in this format")
        }
        if let transports = node.member(Key.transports) {
            omit(transports, "was omitted; the simulator has its own transports")
        }
        let categoryNode = try node.required(Key.category)
        guard let category = UInt8(exactly: try categoryNode.integer()), category > 0 else {
            throw categoryNode.error("a category must be from 1 to 255")
        }
        return AccessoryDescription(
            category: AccessoryCategory(rawValue: Int(category)),
            setupCode: try node.member(Key.password).map(Self.setupCode),
            setupID: try node.member(Key.setupID).map(Self.setupID),
            deviceID: try node.member(Key.identifier).map(Self.deviceID),
            accessories: [try accessory(node)],
            source: source
        )
    }

    private static func setupCode(_ node: ArchiveNode) throws(SimulatorError) -> SetupCode {
        let text = try node.string()
        do {
            return try SetupCode(text)
        } catch {
            throw node.error("\(error)")
        }
    }

    private static func setupID(_ node: ArchiveNode) throws(SimulatorError) -> SetupID {
        guard let id = SetupID(try node.string()) else { throw node.error("invalid setup ID") }
        return id
    }

    private static func deviceID(_ node: ArchiveNode) throws(SimulatorError) -> DeviceID {
        let bytes = try node.required(Key.data)
        let digits = try bytes.data().map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }
        guard let id = DeviceID(digits.joined(separator: ":")) else {
            throw bytes.error("a device ID must have six bytes")
        }
        return id
    }

    private mutating func accessory(_ node: ArchiveNode) throws(SimulatorError) -> HostedAccessory {
        let services = HAPType.Service.self
        let nodes = try node.required(Key.services).elements()
        let primary = try node.member(Key.primary)?.required(Key.instanceID).integer()
        var keys: [UInt64: String] = [:]
        var lastIID = try node.member(Key.idPool).map(Self.id) ?? 0
        var iids: [Subject: UInt64] = [:]
        var information: AccessoryInformation?
        var hosted: [HostedService] = []
        var links: [(service: Int, iids: [UInt64])] = []
        for node in nodes {
            omitUnknown(node, except: Key.ofService)
            let type = try Self.type(node)
            let iid = try Self.id(try node.required(Key.instanceID))
            lastIID = max(lastIID, iid)
            if type == services.pairing {
                for node in try node.member(Key.characteristics)?.elements() ?? [] {
                    lastIID = max(lastIID, try Self.id(try node.required(Key.instanceID)))
                }
                omit(node, "the pairing service of an older protocol was omitted")
                continue
            }
            var key = HostedService.defaultKey(for: type)
            if keys.values.contains(key) { key += "-\(iid)" }
            keys[iid] = key
            iids[Subject(service: key)] = iid
            var characteristics: [HostedCharacteristic] = []
            for node in try node.required(Key.characteristics).elements() {
                let characteristic = try self.characteristic(node)
                let subject = Subject(service: key, characteristic: characteristic.type)
                let iid = try Self.id(try node.required(Key.instanceID))
                lastIID = max(lastIID, iid)
                guard iids.updateValue(iid, forKey: subject) == nil else {
                    throw node.error("the service already has the characteristic \(characteristic.type)")
                }
                characteristics.append(characteristic)
            }
            switch type {
            case services.accessoryInformation:
                guard information == nil else {
                    throw node.error("there is more than one Accessory Information service")
                }
                information = try Self.information(node, characteristics)
            case services.protocolInformation:
                continue
            default:
                let linked = try node.member(Key.linked)?.elements() ?? []
                var linkedIIDs: [UInt64] = []
                for node in linked { linkedIIDs.append(try Self.id(try node.required(Key.instanceID))) }
                links.append((hosted.count, linkedIIDs))
                hosted.append(
                    HostedService(
                        type,
                        key: key,
                        isPrimary: primary == Int64(exactly: iid),
                        isHidden: try node.member(Key.hidden)?.integer() == 1,
                        characteristics: characteristics + HostedService.required(of: type, besides: characteristics)
                    )
                )
            }
        }
        guard let information else { throw node.error("the Accessory Information service is missing") }
        for (service, iids) in links { hosted[service].linked = iids.compactMap { keys[$0] } }
        var accessory = HostedAccessory(key: information.serialNumber, information: information, services: hosted)
        // What is omitted keeps no ID, and its ID isn't used again.
        let subjects = Set(accessory.archivedServices.flatMap(\.identifierSubjects))
        accessory.identifiers = PreassignedIdentifiers(
            iids: iids.filter { subjects.contains($0.key) },
            lastIID: lastIID
        )
        return accessory
    }

    private static func information(
        _ node: ArchiveNode,
        _ characteristics: [HostedCharacteristic]
    ) throws(SimulatorError) -> AccessoryInformation {
        let types = HAPType.Characteristic.self
        func text(_ type: HAPType) throws(SimulatorError) -> String {
            guard case .string(let text)? = characteristics.first(where: { $0.type == type })?.value else {
                throw node.error("the Accessory Information service has no \(type)")
            }
            return text
        }
        let hardware = characteristics.first { $0.type == types.hardwareRevision }?.value
        let standard = [
            types.identify, types.name, types.manufacturer, types.model, types.serialNumber, types.firmwareRevision,
            types.hardwareRevision,
        ]
        return AccessoryInformation(
            name: try text(types.name),
            manufacturer: try text(types.manufacturer),
            model: try text(types.model),
            serialNumber: try text(types.serialNumber),
            firmwareRevision: try text(types.firmwareRevision),
            hardwareRevision: hardware.map { if case .string(let text) = $0 { text } else { "\($0)" } },
            additional: characteristics.filter { !standard.contains($0.type) }
        )
    }

    private static func id(_ node: ArchiveNode) throws(SimulatorError) -> UInt64 {
        guard let id = UInt64(exactly: try node.integer()), id > 0 else { throw node.error("an ID must be 1 or more") }
        return id
    }

    private static func type(_ node: ArchiveNode) throws(SimulatorError) -> HAPType {
        let bytes = try node.required(Key.uuid).required(Key.uuid).required(Key.uuidBytes)
        let data = try bytes.data()
        guard data.count == 16 else { throw bytes.error("a UUID must have 16 bytes") }
        return HAPType(uuid: data.reduce(UInt128(0)) { $0 << 8 | UInt128($1) })
    }

    private mutating func characteristic(_ node: ArchiveNode) throws(SimulatorError) -> HostedCharacteristic {
        omitUnknown(node, except: Key.ofCharacteristic)
        let type = try Self.type(node)
        let definition = CharacteristicDefinition.of(type)
        let formatNode = try node.required(Key.format)
        let number = try formatNode.integer()
        guard let format = ArchiveTables.formats[number] ?? definition?.metadata.format else {
            throw formatNode.error("unknown format \(number)")
        }
        if ArchiveTables.formats[number] == nil {
            omit(formatNode, "unknown format \(number); using \(format), the format of the type")
        }
        var metadata = CharacteristicMetadata(format: format)
        let unit = try node.member(Key.unit)?.integer() ?? ArchiveTables.noUnit
        metadata.unit = ArchiveTables.units[unit]
        if unit != ArchiveTables.noUnit, metadata.unit == nil {
            metadata.unit = definition?.metadata.unit
            omit(node, "unknown unit \(unit); using \(metadata.unit?.rawValue ?? "none")")
        }
        metadata.manufacturerDescription = try node.member(Key.description)?.string()
        if let constraints = node.member(Key.constraints) { try read(constraints, definition, into: &metadata) }
        var permissions: CharacteristicPermissions = []
        var rest = try node.required(Key.properties).integer()
        for (bit, permission) in ArchiveTables.properties where rest & bit != 0 {
            permissions.insert(permission)
            rest &= ~bit
        }
        if rest != 0 { omit(node, "the unknown properties \(rest) were omitted") }
        var characteristic = HostedCharacteristic(
            type: type,
            permissions: permissions,
            adminOnly: (definition?.adminOnly ?? []).intersection(permissions),
            metadata: metadata,
            value: nil
        )
        characteristic.value = characteristic.defaultValue
        if characteristic.value != nil, let value = node.member(Key.value) {
            do {
                characteristic.value = try metadata.validate(try Self.value(value), checkingStep: false)
            } catch let error as SimulatorError {
                throw error
            } catch {
                throw value.error("\(error)")
            }
        }
        return characteristic
    }

    private mutating func read(
        _ node: ArchiveNode,
        _ definition: CharacteristicDefinition?,
        into metadata: inout CharacteristicMetadata
    ) throws(SimulatorError) {
        omitUnknown(node, except: Key.ofConstraints)
        metadata.maxLength = try node.member(Key.maxLength).map { node throws(SimulatorError) in
            Int(clamping: try node.integer())
        }
        metadata.minValue = try node.member(Key.minimum).map(Self.number)
        metadata.maxValue = try node.member(Key.maximum).map(Self.number)
        metadata.stepValue = try node.member(Key.step).map(Self.number)
        guard let labels = node.member(Key.validValues) else { return }
        var values: [Int64] = []
        for (key, label) in try labels.members() {
            let value = try key.integer()
            values.append(value)
            let text = try label.string()
            if definition?.namedValues.contains(where: { $0.value == value && $0.name == text }) != true {
                omit(label, "the name '\(text)' of the value \(value) was omitted; the catalog has its own")
            }
        }
        metadata.validValues = values.sorted()
    }

    private static func value(_ node: ArchiveNode) throws(SimulatorError) -> CharacteristicValue {
        switch node.value {
        case .bool(let flag): return .bool(flag)
        case .integer(let number): return .integer(number)
        case .real(let number): return .double(number)
        case .string(let text): return .string(text)
        case .data(let bytes): return .data(bytes)
        case .dictionary where node.member(Key.mantissa) != nil: return try decimal(node)
        case .reference, .array, .dictionary: throw node.error("expected a value")
        }
    }

    private static func number(_ node: ArchiveNode) throws(SimulatorError) -> CharacteristicValue {
        switch try value(node) {
        case .integer(let number): return .integer(number)
        case .double(let number) where number.isFinite: return .double(number)
        default: throw node.error("expected a number")
        }
    }

    /// Reads an archived decimal number: a 16-byte mantissa, least significant byte first, and a decimal exponent.
    private static func decimal(_ node: ArchiveNode) throws(SimulatorError) -> CharacteristicValue {
        let bytes = try node.required(Key.mantissa).data()
        let exponent = try node.required(Key.exponent).integer()
        let isNegative = try node.required(Key.negative).integer() == 1
        guard try node.required(Key.mantissaOrder).integer() == 1, bytes.count == 16, (-128...127).contains(exponent)
        else { throw node.error("unsupported format of a decimal number") }
        let mantissa = bytes.reversed().reduce(UInt128(0)) { $0 << 8 | UInt128($1) }
        // Parse it as text, because a double can't represent a power of ten with a negative exponent exactly.
        guard let number = Double("\(isNegative ? "-" : "")\(mantissa)e\(exponent)"), number.isFinite else {
            throw node.error("the decimal number is too large")
        }
        return Int64(exactly: number).map { .integer($0) } ?? .double(number)
    }
}
