import HAPCatalog

extension ServiceShape: Codable {
    private enum Key: String, CodingKey {
        case iid, type, reportedName, isPrimary, isHidden, linked, characteristics
    }

    /// Decodes a service. Members with a default value may be missing.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        self.init(
            iid: try container.decode(UInt64.self, forKey: .iid),
            type: try container.decode(HAPType.self, forKey: .type),
            reportedName: try container.decodeIfPresent(String.self, forKey: .reportedName),
            isPrimary: try container.decodeIfPresent(Bool.self, forKey: .isPrimary) ?? false,
            isHidden: try container.decodeIfPresent(Bool.self, forKey: .isHidden) ?? false,
            linked: try container.decodeIfPresent([UInt64].self, forKey: .linked) ?? [],
            characteristics: try container.decode([CharacteristicShape].self, forKey: .characteristics)
        )
    }

    /// Encodes the service, leaving out members that have their default value.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(iid, forKey: .iid)
        try container.encode(type, forKey: .type)
        try container.encodeIfPresent(reportedName, forKey: .reportedName)
        if isPrimary { try container.encode(isPrimary, forKey: .isPrimary) }
        if isHidden { try container.encode(isHidden, forKey: .isHidden) }
        if !linked.isEmpty { try container.encode(linked, forKey: .linked) }
        try container.encode(characteristics, forKey: .characteristics)
    }
}
