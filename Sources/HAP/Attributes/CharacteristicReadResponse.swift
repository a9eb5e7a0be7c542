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
        let includesStatus = !isComplete
        return Self.encoded(entries.count) { writer in
            // By index, because a loop over the entries would copy each.
            for index in entries.indices { entries[index].encode(to: &writer, includesStatus: includesStatus) }
        }
    }

    /// Returns the body of a response whose entries a closure writes, so that a server need not collect them first.
    ///
    /// - Parameter count: The number of entries.
    package static func encoded(_ count: Int, _ entries: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter(capacity: envelopeLength + count * entryLength)
        writer.object { writer in
            writer.key(JSONKey.characteristics)
            writer.array(entries)
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

    /// Writes the entry.
    package func encode(to writer: inout JSONWriter, includesStatus: Bool) {
        Self.encode(id, status, value, to: &writer, includesStatus: includesStatus) { writer in
            if let type { writer.member(AttributeKey.type, type.shortForm) }
            if let metadata { metadata.encode(to: &writer) }
            if let permissions { writer.member(AttributeKey.permissions, permissions) }
            if let events { writer.member(AttributeKey.events, events) }
        }
    }

    /// Writes an entry. The closure writes what was requested besides the value.
    package static func encode(
        _ id: CharacteristicID,
        _ status: HAPStatus,
        _ value: CharacteristicValue?,
        to writer: inout JSONWriter,
        includesStatus: Bool,
        _ attributes: (inout JSONWriter) -> Void = { _ in }
    ) {
        writer.object { writer in
            writer.member(id)
            attributes(&writer)
            if includesStatus {
                writer.key(JSONKey.status)
                writer.write(status.rawValue)
            }
            if status.isSuccess {
                writer.key(JSONKey.value)
                writer.write(value)
            }
        }
    }
}
