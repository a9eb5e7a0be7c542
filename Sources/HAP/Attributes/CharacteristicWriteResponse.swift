public import HAPCatalog

/// The response to `PUT /characteristics`. Source: HAP specification 6.7.2.
public struct CharacteristicWriteResponse: Hashable, Sendable {
    /// The outcomes, in the order of the request. Empty after decoding a 204: everything was done.
    public var entries: [Entry]

    /// The outcome for one characteristic.
    public struct Entry: Hashable, Sendable {
        /// The characteristic.
        public var id: CharacteristicID
        /// Whether it was done.
        public var status: HAPStatus
        /// Whether the request asked for the value after the write.
        public var wantsResponse: Bool
        /// The value after the write; sent only if ``wantsResponse`` and done. A decoded one is as it came.
        public var value: CharacteristicValue?

        /// Creates an outcome.
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

    /// Reads the body of a 207 (or of the 400 that older accessories send in its place); no body means that everything
    /// was done.
    /// - Throws: What is wrong, and where.
    public init(decoding body: [UInt8]) throws(AttributeDecodingError) {
        guard !body.isEmpty else {
            entries = []
            return
        }
        let root = try AttributeObject(parsing: body, from: .accessory)
        entries = try root.list(AttributeKey.characteristics, Entry.init(decoding:))
    }

    /// 204 if everything was done and nothing has to be told, else 207.
    public var status: HTTPStatus {
        entries.allSatisfy { $0.status.isSuccess && !$0.wantsResponse } ? .noContent : .multiStatus
    }

    /// The body: empty with 204, else a status in every entry.
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
