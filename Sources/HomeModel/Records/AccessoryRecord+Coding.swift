import Foundation
import HAPCatalog

extension AccessoryRecord: Codable {
    private enum Key: String, CodingKey {
        case id, name, reportedName, room, server, aid, bridge, isBridge, category, information, shape
        case serviceNames, associatedTypes, hiddenServices, servicesAskingFirst, fixedIDs, isAbsent, isBlocked
    }

    /// Decodes a record. Members with a default value may be missing.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        self.init(
            id: try container.decode(UUID.self, forKey: .id),
            name: try container.decodeName(forKey: .name),
            reportedName: try container.decode(String.self, forKey: .reportedName)
                .reportedText(length: HomeLimits.reportedTextLength),
            room: try container.decode(UUID.self, forKey: .room),
            server: try container.decode(String.self, forKey: .server),
            aid: try container.decode(UInt64.self, forKey: .aid),
            bridge: try container.decodeIfPresent(UUID.self, forKey: .bridge),
            isBridge: try container.decodeIfPresent(Bool.self, forKey: .isBridge) ?? false,
            category: try container.decode(AccessoryCategory.self, forKey: .category),
            information: try container.decode(AccessoryInformation.self, forKey: .information),
            shape: try container.decode(ShapeID.self, forKey: .shape),
            serviceNames: try Self.decodeByIID(String.self, .serviceNames, container).mapValues(NameRule.shortened),
            associatedTypes: try Self.decodeByIID(HAPType.self, .associatedTypes, container),
            hiddenServices: try container.decodeIfPresent(Set<UInt64>.self, forKey: .hiddenServices) ?? [],
            servicesAskingFirst: try container.decodeIfPresent(Set<UInt64>.self, forKey: .servicesAskingFirst) ?? [],
            fixedIDs: try Self.decodeByIID(UUID.self, .fixedIDs, container),
            isAbsent: try container.decodeIfPresent(Bool.self, forKey: .isAbsent) ?? false,
            isBlocked: try container.decodeIfPresent(Bool.self, forKey: .isBlocked) ?? false
        )
    }

    /// Encodes the record, leaving out members that have their default value.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(id, forKey: .id)
        try container.encode(name, forKey: .name)
        try container.encode(reportedName, forKey: .reportedName)
        try container.encode(room, forKey: .room)
        try container.encode(server, forKey: .server)
        try container.encode(aid, forKey: .aid)
        try container.encodeIfPresent(bridge, forKey: .bridge)
        if isBridge { try container.encode(isBridge, forKey: .isBridge) }
        try container.encode(category, forKey: .category)
        try container.encode(information, forKey: .information)
        try container.encode(shape, forKey: .shape)
        try Self.encodeByIID(serviceNames, .serviceNames, &container)
        try Self.encodeByIID(associatedTypes, .associatedTypes, &container)
        if !hiddenServices.isEmpty { try container.encode(hiddenServices.sorted(), forKey: .hiddenServices) }
        if !servicesAskingFirst.isEmpty {
            try container.encode(servicesAskingFirst.sorted(), forKey: .servicesAskingFirst)
        }
        try Self.encodeByIID(fixedIDs, .fixedIDs, &container)
        if isAbsent { try container.encode(isAbsent, forKey: .isAbsent) }
        if isBlocked { try container.encode(isBlocked, forKey: .isBlocked) }
    }

    // A dictionary with keys that are neither String nor Int would be encoded as an array in random order.

    private static func encodeByIID(
        _ values: [UInt64: some Encodable],
        _ key: Key,
        _ container: inout KeyedEncodingContainer<Key>
    ) throws {
        guard !values.isEmpty else { return }
        try container.encode(Dictionary(uniqueKeysWithValues: values.map { (String($0), $1) }), forKey: key)
    }

    private static func decodeByIID<Value: Decodable>(
        _ type: Value.Type,
        _ key: Key,
        _ container: KeyedDecodingContainer<Key>
    ) throws -> [UInt64: Value] {
        var values: [UInt64: Value] = [:]
        for (text, value) in try container.decodeIfPresent([String: Value].self, forKey: key) ?? [:] {
            guard let iid = UInt64(text) else {
                throw DecodingError.dataCorruptedError(
                    forKey: key,
                    in: container,
                    debugDescription: "“\(text.prefix(40))” is not an instance ID."
                )
            }
            values[iid] = value
        }
        return values
    }
}
