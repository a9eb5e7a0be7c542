public import HAPCatalog

/// The response to `GET /characteristics`. Source: HAP specification 6.7.4.
public struct CharacteristicReadResponse: Hashable, Sendable {
    /// What was read, in the order of the request.
    public var entries: [Entry]

    /// One characteristic of the response.
    public struct Entry: Hashable, Sendable {
        /// The characteristic.
        public var id: CharacteristicID
        /// Whether it was read.
        public var status: HAPStatus
        /// The value; `nil` if there is none. A decoded value is in the form of ``metadata``'s format only if that was
        /// asked for; otherwise bytes are still base64 text and a bool may be a number: use
        /// `CharacteristicValue.converted(to:)`.
        public var value: CharacteristicValue?
        /// Format, unit and bounds, if they were asked for.
        public var metadata: CharacteristicMetadata?
        /// The permissions, if they were asked for.
        public var permissions: CharacteristicPermissions?
        /// The type, if it was asked for.
        public var type: HAPType?
        /// Whether the connection is subscribed, if that was asked for.
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

    /// Reads the body of a 200 or a 207; an entry without a status was read. One that makes no sense is left out, unless
    /// none makes any.
    /// - Throws: What is wrong, and where.
    public init(decoding body: [UInt8]) throws(AttributeDecodingError) {
        let root = try AttributeObject(parsing: body, from: .accessory)
        entries = try root.readableList(AttributeKey.characteristics, Entry.init(decoding:))
    }

    /// 200 if every characteristic was read, else 207.
    public var status: HTTPStatus {
        isComplete ? .ok : .multiStatus
    }

    /// Whether every characteristic was read.
    public var isComplete: Bool {
        entries.allSatisfy(\.status.isSuccess)
    }

    /// The body: without any status if ``isComplete``, else with one in every entry.
    public func encoded() -> [UInt8] {
        var writer = JSONWriter()
        let includesStatus = !isComplete
        writer.object { writer in
            writer.key(AttributeKey.characteristics)
            writer.array { writer in
                for entry in entries { entry.encode(to: &writer, includesStatus: includesStatus) }
            }
        }
        return writer.bytes
    }

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
