public import HAPCatalog

/// An event: new values of characteristics that a connection is subscribed to. Source: HAP specification 6.8.2.
public struct CharacteristicEvent: Hashable, Sendable {
    /// The new values, one per characteristic.
    public var entries: [Entry]

    /// The new value of one characteristic.
    public struct Entry: Hashable, Sendable {
        /// The characteristic.
        public var id: CharacteristicID
        /// The value, or `nil` if it can't be read. A decoded value is as received: bytes are a base64 string, and a
        /// bool may be a number. Use `CharacteristicValue.converted(to:)` to convert it to its format.
        public var value: CharacteristicValue?

        /// Creates an entry.
        public init(id: CharacteristicID, value: CharacteristicValue?) {
            self.id = id
            self.value = value
        }
    }

    /// Creates an event.
    public init(entries: [Entry]) {
        self.entries = entries
    }

    /// Decodes the body of an event. Skips malformed entries, unless all of them are malformed.
    /// - Throws: ``AttributeDecodingError`` if the body is malformed.
    public init(decoding body: [UInt8]) throws(AttributeDecodingError) {
        if let event = CharacteristicListScanner.event(body[...]) {
            self = event
        } else {
            try self.init(decodingTree: body)
        }
    }

    /// Decodes a body in any form.
    init(decodingTree body: [UInt8]) throws(AttributeDecodingError) {
        let root = try AttributeObject(parsing: body, from: .accessory)
        entries = try root.readableList(AttributeKey.characteristics, Entry.init(decoding:))
    }

    /// The body.
    public func encoded() -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.key(AttributeKey.characteristics)
            writer.array { writer in
                for entry in entries {
                    writer.object { writer in
                        writer.member(entry.id)
                        writer.member(AttributeKey.value, entry.value)
                    }
                }
            }
        }
        return writer.bytes
    }

    /// The message to send.
    public func message() -> EventMessage {
        EventMessage(json: encoded())
    }
}

extension CharacteristicEvent.Entry {
    init(decoding object: AttributeObject) throws(AttributeDecodingError) {
        id = try CharacteristicID(decoding: object)
        value = object.value(AttributeKey.value)
    }
}
