internal import HAP
internal import HAPCatalog
internal import HAPServer

extension HostedService {
    private typealias Key = AccessoryFileKey
    /// The characteristic for a service's name.
    private static let nameCharacteristic = "Name"

    /// Reads a service of an accessory file. Required characteristics that the file doesn't contain are added with
    /// their default values.
    init(_ node: FileNode) throws(SimulatorError) {
        _ = try node.members(Key.service)
        let typeNode = try node.required(Key.type)
        let name = try typeNode.string()
        guard let type = ServiceDefinition.named(name)?.type ?? HAPType(uuidText: name) else {
            throw typeNode.error("'\(name)' is neither a service of the catalog nor a UUID")
        }
        var characteristics: [HostedCharacteristic] = []
        if let node = node.member(Key.name) {
            characteristics.append(try HostedCharacteristic(Self.nameCharacteristic, node))
        }
        for (name, node) in try node.member(Key.characteristics)?.members() ?? [] {
            let characteristic = try HostedCharacteristic(name, node)
            if characteristics.contains(where: { $0.type == characteristic.type }) {
                throw node.error("the service already has the characteristic \(characteristic.type)")
            }
            characteristics.append(characteristic)
        }
        characteristics += Self.required(of: type, besides: characteristics)
        var linked: [String] = []
        for node in try node.member(Key.linked)?.elements() ?? [] { linked.append(try node.string()) }
        self.init(
            type,
            key: try node.member(Key.key)?.string(),
            isPrimary: try node.member(Key.primary)?.flag() ?? false,
            isHidden: try node.member(Key.hidden)?.flag() ?? false,
            linked: linked,
            characteristics: characteristics
        )
    }

    /// Returns the characteristics that a service of the catalog requires and doesn't have, with their default values.
    static func required(
        of type: HAPType,
        besides characteristics: [HostedCharacteristic]
    ) -> [HostedCharacteristic] {
        let required = ServiceDefinition.of(type)?.required ?? []
        return required.filter { type in !characteristics.contains { $0.type == type } }
            .compactMap { HostedCharacteristic($0) }
    }
}

extension HAPType {
    /// The length of a UUID string.
    private static let uuidLength = 36

    /// Parses a full UUID. Short forms aren't accepted, because files use the catalog's names instead.
    init?(uuidText text: String) {
        guard text.utf8.count == Self.uuidLength else { return nil }
        self.init(text)
    }
}
