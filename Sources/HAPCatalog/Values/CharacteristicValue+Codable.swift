extension CharacteristicValue: Codable {
    /// The key that distinguishes bytes from strings.
    private enum CodingKeys: String, CodingKey {
        case base64
    }

    /// Decodes the output of ``encode(to:)``. Numbers without a fraction are decoded as integers, which equal the
    /// originals.
    public init(from decoder: any Decoder) throws {
        if let container = try? decoder.container(keyedBy: CodingKeys.self) {
            let text = try container.decode(String.self, forKey: .base64)
            guard let bytes = Base64.decode(text) else {
                throw DecodingError.dataCorruptedError(
                    forKey: .base64,
                    in: container,
                    debugDescription: "Expected padded base64"
                )
            }
            self = .data(bytes)
            return
        }
        let container = try decoder.singleValueContainer()
        if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .integer(value)
        } else if let value = try? container.decode(UInt64.self) {
            self = .number(value)
        } else if let value = try? container.decode(Double.self) {
            self = .double(value)
        } else {
            self = .string(try container.decode(String.self))
        }
    }

    /// Encodes a bool, number or string as is, and bytes as `{"base64": "…"}`.
    public func encode(to encoder: any Encoder) throws {
        if case .data(let bytes) = self {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(Base64.encode(bytes), forKey: .base64)
            return
        }
        var container = encoder.singleValueContainer()
        switch self {
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .unsigned(let value): try container.encode(value)
        case .double(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .data: break
        }
    }
}
