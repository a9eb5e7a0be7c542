public import HAPCatalog

/// The response to `PUT /characteristics`. Source: HAP specification 6.7.2.
public struct CharacteristicWriteResponse: Hashable, Sendable {
    /// The results, in the order of the request. Empty after decoding a 204, which means that every write succeeded.
    public var entries: [Entry]

    /// The result for one characteristic.
    public struct Entry: Hashable, Sendable {
        /// The characteristic.
        public var id: CharacteristicID
        /// The outcome of the write.
        public var status: HAPStatus
        /// Whether the request asked for the value after the write.
        public var wantsResponse: Bool
        /// The value after the write. It is encoded only if ``wantsResponse`` is `true` and the write succeeded. A
        /// decoded value is as received.
        public var value: CharacteristicValue?

        /// Creates an entry.
        public init(
            id: CharacteristicID,
            status: HAPStatus = .success,
            wantsResponse: Bool = false,
            value: CharacteristicValue? = nil
        ) {
            self.id = id
            self.status = status
            self.wantsResponse = wantsResponse
            self.value = value
        }
    }

    /// Creates a response.
    public init(entries: [Entry]) {
        self.entries = entries
    }

    /// Decodes the body of a 207 response (or of the 400 that older accessories send instead). An empty body means that
    /// every write succeeded.
    /// - Throws: ``AttributeDecodingError`` if the body is malformed.
    public init(decoding body: [UInt8]) throws(AttributeDecodingError) {
        guard !body.isEmpty else {
            entries = []
            return
        }
        let root = try AttributeObject(parsing: body, from: .accessory)
        entries = try root.list(AttributeKey.characteristics, Entry.init(decoding:))
    }

    /// 204 if every write succeeded and no values were requested, otherwise 207.
    public var status: HTTPStatus {
        entries.allSatisfy { $0.status.isSuccess && !$0.wantsResponse } ? .noContent : .multiStatus
    }

    /// The body: empty for 204, otherwise with a status in every entry.
    public func encoded() -> [UInt8] {
        guard status == .multiStatus else { return [] }
        var writer = JSONWriter()
        writer.object { writer in
            writer.key(AttributeKey.characteristics)
            writer.array { writer in
                for entry in entries { entry.encode(to: &writer) }
            }
        }
        return writer.bytes
    }

    /// The response to send.
    public func response() -> HTTPResponse {
        status == .noContent ? HTTPResponse(status: .noContent) : HTTPResponse(status: status, json: encoded())
    }
}

extension CharacteristicWriteResponse.Entry {
    init(decoding object: AttributeObject) throws(AttributeDecodingError) {
        id = try CharacteristicID(decoding: object)
        status = try object.status(AttributeKey.status) ?? .success
        wantsResponse = object.has(AttributeKey.value)
        value = object.value(AttributeKey.value)
    }

    func encode(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member(id)
            writer.member(AttributeKey.status, status)
            if wantsResponse && status.isSuccess { writer.member(AttributeKey.value, value) }
        }
    }
}
