public import HAPCatalog

/// The response to `GET /characteristics`. Source: HAP specification 6.7.4.
public struct CharacteristicReadResponse: Hashable, Sendable {
    /// The results, in the order of the request.
    public var entries: [Entry]

    /// The result for one characteristic.
    public struct Entry: Hashable, Sendable {
        /// The characteristic.
        public var id: CharacteristicID
        /// The outcome of the read.
        public var status: HAPStatus
        /// The value, or `nil` if there is none. A decoded value is converted to the format in ``metadata`` only if the
        /// request asked for it. Otherwise bytes are still a base64 string, and a bool may be a number; use
        /// `CharacteristicValue.converted(to:)`.
        public var value: CharacteristicValue?
        /// The format, unit and bounds, if requested.
        public var metadata: CharacteristicMetadata?
        /// The permissions, if requested.
        public var permissions: CharacteristicPermissions?
        /// The type, if requested.
        public var type: HAPType?
        /// Whether the connection is subscribed, if requested.
        public var events: Bool?

        /// Creates an entry.
        public init(
            id: CharacteristicID,
            status: HAPStatus = .success,
            value: CharacteristicValue? = nil,
            metadata: CharacteristicMetadata? = nil,
            permissions: CharacteristicPermissions? = nil,
            type: HAPType? = nil,
            events: Bool? = nil
        ) {
            self.id = id
            self.status = status
            self.value = value
            self.metadata = metadata
            self.permissions = permissions
            self.type = type
            self.events = events
        }

        /// Creates an entry with a value alone.
        package init(id: CharacteristicID, status: HAPStatus, value: CharacteristicValue?) {
            self.id = id
            self.status = status
            self.value = value
        }
    }

    /// Creates a response.
    public init(entries: [Entry]) {
        self.entries = entries
    }

    /// Decodes the body of a 200 or 207 response. An entry without a status was read successfully. Skips malformed
    /// entries, unless all of them are malformed.
    /// - Throws: ``AttributeDecodingError`` if the body is malformed.
    public init(decoding body: [UInt8]) throws(AttributeDecodingError) {
        let root = try AttributeObject(parsing: body, from: .accessory)
        entries = try root.readableList(AttributeKey.characteristics, Entry.init(decoding:))
    }

    /// 200 if every characteristic was read, otherwise 207.
    public var status: HTTPStatus {
        isComplete ? .ok : .multiStatus
    }

    /// Whether every characteristic was read.
    public var isComplete: Bool {
        entries.allSatisfy(\.status.isSuccess)
    }

    /// The body. Its entries have a status unless the response ``isComplete``.
    public func encoded() -> [UInt8] {
        var writer = JSONWriter(capacity: Self.envelopeLength + entries.count * Self.entryLength)
        let includesStatus = !isComplete
        writer.object { writer in
            writer.key(AttributeKey.characteristics)
            writer.array { writer in
                // By index, because a loop over the entries would copy each.
                for index in entries.indices { entries[index].encode(to: &writer, includesStatus: includesStatus) }
            }
        }
        return writer.bytes
    }

    /// Lengths of the body without entries, and of an entry, that are rarely exceeded if only values are read.
    private static let (envelopeLength, entryLength) = (24, 40)

    /// The response to send.
    public func response() -> HTTPResponse {
        HTTPResponse(status: status, json: encoded())
    }
}

extension CharacteristicReadResponse.Entry {
    init(decoding object: AttributeObject) throws(AttributeDecodingError) {
        id = try CharacteristicID(decoding: object)
        status = try object.status(AttributeKey.status) ?? .success
        type = object.has(AttributeKey.type) ? try object.type(AttributeKey.type) : nil
        metadata = object.has(AttributeKey.format) ? CharacteristicMetadata(decoding: object, type: type) : nil
        value = object.value(AttributeKey.value, as: metadata?.format)
        permissions = object.has(AttributeKey.permissions) ? try object.permissions(AttributeKey.permissions) : nil
        events = object.flag(AttributeKey.events)
    }

    func encode(to writer: inout JSONWriter, includesStatus: Bool) {
        writer.object { writer in
            writer.member(id)
            if let type { writer.member(AttributeKey.type, type.shortForm) }
            if let metadata { metadata.encode(to: &writer) }
            if let permissions { writer.member(AttributeKey.permissions, permissions) }
            if let events { writer.member(AttributeKey.events, events) }
            if includesStatus { writer.member(AttributeKey.status, status) }
            if status.isSuccess { writer.member(AttributeKey.value, value) }
        }
    }
}
