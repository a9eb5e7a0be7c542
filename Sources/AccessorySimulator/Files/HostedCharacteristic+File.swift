internal import HAP
internal import HAPCatalog
internal import HAPServer

extension HostedCharacteristic {
    private typealias Key = AccessoryFileKey

    /// Reads a characteristic of an accessory file: its value, or an object with more details.
    ///
    /// - Parameter name: A name of the catalog, or a UUID. For a UUID that isn't in the catalog, the object must
    ///   contain format and permissions.
    init(_ name: String, _ node: FileNode) throws(SimulatorError) {
        let definition = CharacteristicDefinition.named(name) ?? HAPType(uuidText: name).flatMap { .of($0) }
        if let definition {
            self.init(definition)
        } else if let type = HAPType(uuidText: name) {
            guard node.value.object != nil else {
                throw node.error("a custom characteristic must be an object with format and permissions")
            }
            self.init(
                type: type,
                permissions: try Self.permissions(try node.required(Key.permissions)),
                metadata: CharacteristicMetadata(format: try Self.format(try node.required(Key.valueFormat))),
                value: nil
            )
        } else {
            throw node.error("'\(name)' is neither a characteristic of the catalog nor a UUID")
        }
        var valueNode: FileNode? = node
        if node.value.object != nil {
            _ = try node.members(Key.characteristic)
            try update(node)
            valueNode = node.member(Key.value)
        }
        guard let valueNode else {
            value = defaultValue
            return
        }
        value = try read(valueNode, definition)
    }

    /// Returns the characteristic with the changes in an object. The value is kept if it remains valid.
    func changed(_ node: FileNode) throws(SimulatorError) -> HostedCharacteristic {
        _ = try node.members(Key.characteristic)
        var changed = self
        try changed.update(node)
        if let valueNode = node.member(Key.value) {
            changed.value = try changed.read(valueNode, CharacteristicDefinition.of(type))
        } else if let value, (try? changed.metadata.validate(value, checkingStep: false)) == nil {
            changed.value = changed.defaultValue
        } else if value == nil || !changed.permissions.contains(.read) {
            changed.value = changed.defaultValue
        }
        return changed
    }

    /// Applies the permissions and metadata in the file.
    private mutating func update(_ node: FileNode) throws(SimulatorError) {
        if let node = node.member(Key.permissions) { permissions = try Self.permissions(node) }
        if let node = node.member(Key.valueFormat) { metadata.format = try Self.format(node) }
        // A null value removes the catalog's bound.
        if let node = node.member(Key.unit) {
            metadata.unit = node.isNull ? nil : CharacteristicUnit(rawValue: try node.string())
        }
        if let node = node.member(Key.minimum) { metadata.minValue = node.isNull ? nil : try number(node) }
        if let node = node.member(Key.maximum) { metadata.maxValue = node.isNull ? nil : try number(node) }
        if let node = node.member(Key.step) { metadata.stepValue = node.isNull ? nil : try number(node) }
        if let node = node.member(Key.maxLength) { metadata.maxLength = node.isNull ? nil : try node.length() }
        if let node = node.member(Key.maxDataLength) {
            metadata.maxDataLength = node.isNull ? nil : try node.length()
        }
        if let node = node.member(Key.description) { metadata.manufacturerDescription = try node.string() }
        if let node = node.member(Key.validValues) {
            metadata.validValues = node.isNull ? nil : try Self.integers(node).sorted()
        }
        if let node = node.member(Key.validRanges) {
            metadata.validRanges = node.isNull ? nil : try Self.ranges(node)
        }
    }

    private static func integers(_ node: FileNode) throws(SimulatorError) -> [Int64] {
        var values: [Int64] = []
        for node in try node.elements() { values.append(try node.integer()) }
        return values
    }

    private static func ranges(_ node: FileNode) throws(SimulatorError) -> [ClosedRange<Int64>] {
        var ranges: [ClosedRange<Int64>] = []
        for node in try node.elements() {
            let bounds = try integers(node)
            guard bounds.count == 2, bounds[0] <= bounds[1] else {
                throw node.error("a range must be an array of its lowest and highest integers")
            }
            ranges.append(bounds[0]...bounds[1])
        }
        return ranges
    }

    private func number(_ node: FileNode) throws(SimulatorError) -> CharacteristicValue {
        guard metadata.format.isNumeric else {
            throw node.error("the format \(metadata.format) doesn't support this bound")
        }
        switch node.value {
        case .integer(let value): return .integer(value)
        case .unsigned(let value): return .unsigned(value)
        case .double(let value): return .double(value)
        default: throw node.error("expected a number")
        }
    }

    /// Reads a value, by name if the characteristic has named values.
    private func read(
        _ node: FileNode,
        _ definition: CharacteristicDefinition?
    ) throws(SimulatorError) -> CharacteristicValue? {
        guard permissions.contains(.read), !isStateless else { throw node.error("\(type) has no readable value") }
        let value = try node.characteristicValue()
        let named = metadata.format.isNumeric ? node.value.string.flatMap { definition?.value(named: $0) } : nil
        do {
            return try metadata.validate(named ?? value, checkingStep: false)
        } catch {
            throw node.error("\(error)")
        }
    }

    private static func format(_ node: FileNode) throws(SimulatorError) -> CharacteristicFormat {
        let format = CharacteristicFormat(rawValue: try node.string())
        if case .other(let name) = format { throw node.error("'\(name)' is not a format") }
        return format
    }

    private static func permissions(_ node: FileNode) throws(SimulatorError) -> CharacteristicPermissions {
        var permissions: CharacteristicPermissions = []
        for node in try node.elements() {
            let permission = CharacteristicPermissions(names: [try node.string()])
            guard !permission.isEmpty else { throw node.error("'\(try node.string())' is not a permission") }
            permissions.formUnion(permission)
        }
        return permissions
    }
}
