internal import HAP
internal import HAPCatalog
internal import HAPServer

extension AccessoryDescription {
    private typealias Key = AccessoryFileKey

    /// Returns the accessory file for the description. It is canonical: reading and writing it again yields the same
    /// bytes.
    public func fileText() -> [UInt8] {
        JSONFormatter.text(of: compact())
    }

    /// Returns the accessory file without whitespace.
    func compact() -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member(Key.format, Key.currentFormat)
            if let accessory = accessories.first { write(accessory, isBridged: false, to: &writer) }
            guard accessories.count > 1 || category == .bridge else { return }
            writer.key(Key.accessories)
            writer.array { writer in
                for accessory in accessories.dropFirst() {
                    writer.object { write(accessory, isBridged: true, to: &$0) }
                }
            }
        }
        return writer.bytes
    }

    private func write(_ accessory: HostedAccessory, isBridged: Bool, to writer: inout JSONWriter) {
        let information = accessory.information
        writer.member(Key.name, information.name)
        writer.member(Key.manufacturer, information.manufacturer)
        writer.member(Key.model, information.model)
        writer.member(Key.serialNumber, accessory.key)
        writer.member(Key.firmwareRevision, information.firmwareRevision)
        if let revision = information.hardwareRevision { writer.member(Key.hardwareRevision, revision) }
        if !isBridged {
            if let name = category.name {
                writer.member(Key.category, name.filter { $0 != " " })
            } else {
                writer.member(Key.category, category.rawValue)
            }
            if let setupCode { writer.member(Key.setupCode, setupCode.dashed) }
            if let setupID { writer.member(Key.setupID, setupID.description) }
            if let deviceID { writer.member(Key.deviceID, deviceID.description) }
        }
        accessory.identifiers?.write(to: &writer)
        if !information.additional.isEmpty {
            writer.key(Key.information)
            writer.object { writer in
                for characteristic in information.additional { characteristic.writeMember(to: &writer) }
            }
        }
        writer.key(Key.services)
        writer.array { writer in
            for service in accessory.services {
                let address = ServiceAddress(accessory: accessory.key, service: service.key)
                service.write(delay: delays[address], habits: habits[address] ?? [], to: &writer)
            }
        }
    }
}

extension HostedService {
    private typealias Key = AccessoryFileKey

    fileprivate func write(delay: Duration?, habits: [Habit], to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member(Key.type, type.serviceFileName)
            if key != Self.defaultKey(for: type) { writer.member(Key.key, key) }
            var rest = characteristics[...]
            if let first = rest.first, first.isPlainName, case .string(let name)? = first.value {
                writer.member(Key.name, name)
                rest = rest.dropFirst()
            }
            if isPrimary { writer.member(Key.primary, true) }
            if isHidden { writer.member(Key.hidden, true) }
            if !linked.isEmpty {
                writer.key(Key.linked)
                writer.array { writer in
                    for key in linked { writer.write(key) }
                }
            }
            if let delay {
                writer.key(Key.delay)
                writer.write(delay / .seconds(1))
            }
            if !habits.isEmpty {
                writer.key(Key.habits)
                writer.array { writer in
                    for habit in habits { writer.write("\(habit)") }
                }
            }
            guard !rest.isEmpty else { return }
            writer.key(Key.characteristics)
            writer.object { writer in
                for characteristic in rest { characteristic.writeMember(to: &writer) }
            }
        }
    }
}

extension HAPType {
    /// The name of a service in files. A few types are used for both a service and a characteristic.
    var serviceFileName: String { ServiceDefinition.of(self)?.identifier ?? longForm }
    /// The name of a characteristic in files.
    var characteristicFileName: String { CharacteristicDefinition.of(self)?.identifier ?? longForm }
}

extension HostedCharacteristic {
    private typealias Key = AccessoryFileKey

    /// Whether the `name` key of the service describes the characteristic completely.
    fileprivate var isPlainName: Bool {
        type == HAPType.Characteristic.name && HostedCharacteristic(type, value: value) == self
    }

    /// Writes a member: only the value if the catalog defines everything else.
    func writeMember(to writer: inout JSONWriter) {
        writer.key(type.characteristicFileName)
        guard let definition = CharacteristicDefinition.of(type) else {
            return writer.object { writer in
                writer.member(Key.valueFormat, metadata.format.rawValue)
                write(permissions, to: &writer)
                writeBounds(differingFrom: CharacteristicMetadata(format: metadata.format), to: &writer)
                writeValue(nil, to: &writer)
            }
        }
        if let value, permissions == definition.permissions, metadata == definition.metadata {
            return write(value, definition, to: &writer)
        }
        writer.object { writer in
            if metadata.format != definition.metadata.format {
                writer.member(Key.valueFormat, metadata.format.rawValue)
            }
            if permissions != definition.permissions { write(permissions, to: &writer) }
            writeBounds(differingFrom: definition.metadata, to: &writer)
            writeValue(definition, to: &writer)
        }
    }

    private func write(_ permissions: CharacteristicPermissions, to writer: inout JSONWriter) {
        writer.key(Key.permissions)
        writer.array { writer in
            for name in permissions.names { writer.write(name) }
        }
    }

    /// Writes the values that differ from other metadata.
    private func writeBounds(differingFrom other: CharacteristicMetadata, to writer: inout JSONWriter) {
        func write(_ key: String, _ value: CharacteristicValue?, _ other: CharacteristicValue?) {
            guard value != other else { return }
            writer.key(key)
            writer.write(raw: value)
        }
        func write(_ key: String, _ value: Int?, _ other: Int?) {
            guard value != other else { return }
            writer.key(key)
            if let value { writer.write(value) } else { writer.writeNull() }
        }
        if metadata.unit != other.unit {
            writer.key(Key.unit)
            if let unit = metadata.unit { writer.write(unit.rawValue) } else { writer.writeNull() }
        }
        write(Key.minimum, metadata.minValue, other.minValue)
        write(Key.maximum, metadata.maxValue, other.maxValue)
        write(Key.step, metadata.stepValue, other.stepValue)
        write(Key.maxLength, metadata.maxLength, other.maxLength)
        write(Key.maxDataLength, metadata.maxDataLength, other.maxDataLength)
        if metadata.validValues != other.validValues {
            writer.key(Key.validValues)
            if let values = metadata.validValues { writer.write(values) } else { writer.writeNull() }
        }
        if metadata.validRanges != other.validRanges {
            writer.key(Key.validRanges)
            if let ranges = metadata.validRanges {
                writer.array { writer in
                    for range in ranges { writer.write([range.lowerBound, range.upperBound]) }
                }
            } else {
                writer.writeNull()
            }
        }
        if metadata.manufacturerDescription != other.manufacturerDescription {
            writer.member(Key.description, metadata.manufacturerDescription ?? "")
        }
    }

    private func writeValue(_ definition: CharacteristicDefinition?, to writer: inout JSONWriter) {
        guard let value else { return }
        writer.key(Key.value)
        write(value, definition, to: &writer)
    }

    /// Writes a value, by name if it has one.
    private func write(
        _ value: CharacteristicValue,
        _ definition: CharacteristicDefinition?,
        to writer: inout JSONWriter
    ) {
        if metadata.format.isNumeric, let name = definition?.name(of: value), definition?.value(named: name) == value {
            writer.write(name)
        } else {
            writer.write(raw: value)
        }
    }
}

extension JSONWriter {
    fileprivate mutating func write(_ values: [Int64]) {
        array { writer in
            for value in values { writer.write(value) }
        }
    }

    /// Writes a value as in files, or null if there is none.
    fileprivate mutating func write(raw value: CharacteristicValue?) {
        switch value {
        case .bool(let value): write(value)
        case .integer(let value): write(value)
        case .unsigned(let value): write(value)
        case .double(let value): write(value)
        case .string(let value): write(value)
        case .data(let bytes): write(Base64.encode(bytes))
        case nil: writeNull()
        }
    }
}
