import HAPCatalog

extension CharacteristicValue {
    /// Creates a value of unknown format: bytes are still a base64 string, and a bool may be a number. Returns `nil`
    /// for null, arrays and objects.
    init?(json: JSONValue) {
        switch json {
        case .bool(let value): self = .bool(value)
        case .integer(let value): self = .integer(value)
        case .unsigned(let value): self = .unsigned(value)
        case .double(let value): self = .double(value)
        case .string(let value): self = .string(value)
        case .null, .array, .object: return nil
        }
    }
}

extension JSONWriter {
    /// Writes a characteristic's value, or null for `nil`. A bool becomes 1 or 0, as in the messages of Apple's
    /// accessory and Apple's controllers.
    mutating func write(_ value: CharacteristicValue?) {
        switch value {
        case .bool(let value): write(value ? 1 : 0)
        case .integer(let value): write(value)
        case .unsigned(let value): write(value)
        case .double(let value): write(value)
        case .string(let value): write(value)
        case .data(let value): write(Base64.encode(value))
        case nil: writeNull()
        }
    }

    mutating func member(_ key: String, _ value: CharacteristicValue?) {
        self.key(key)
        write(value)
    }

    mutating func member(_ key: String, _ value: CharacteristicPermissions) {
        self.key(key)
        array { writer in
            for name in value.names { writer.write(name) }
        }
    }

    mutating func member(_ key: String, _ value: HAPStatus) {
        member(key, value.rawValue)
    }

    mutating func member(_ id: CharacteristicID) {
        key(JSONKey.aid)
        write(id.aid)
        key(JSONKey.iid)
        write(id.iid)
    }
}

extension CharacteristicID {
    init(decoding object: AttributeObject) throws(AttributeDecodingError) {
        self.init(aid: try object.id(AttributeKey.aid), iid: try object.id(AttributeKey.iid))
    }
}
