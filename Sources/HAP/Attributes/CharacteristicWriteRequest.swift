public import HAPCatalog

/// The request `PUT /characteristics`, which writes values and changes subscriptions. Source: HAP specification 6.7.2.
public struct CharacteristicWriteRequest: Hashable, Sendable {
    /// The writes, in the order in which an accessory applies them. The response, if it has a body, has one entry for each.
    public var entries: [Entry]
    /// The ID of the timed write that this request executes, as announced by ``PrepareRequest``.
    public var pid: UInt64?

    /// The write to one characteristic.
    public struct Entry: Hashable, Sendable {
        /// The characteristic.
        public var id: CharacteristicID
        /// The value to write. A decoded value is as received: bytes are a base64 string, and a bool may be a number.
        /// `CharacteristicMetadata.validate(_:checkingStep:)` converts it to its format.
        public var value: CharacteristicValue?
        /// Whether to subscribe (`true`) or unsubscribe (`false`) the connection.
        public var events: Bool?
        /// Additional authorization data, for characteristics with the permission `aa`.
        public var authorizationData: [UInt8]?
        /// Whether the request came from a remote controller through a home hub.
        public var isRemote: Bool
        /// Whether the response should include the value after the write (`r`).
        public var wantsResponse: Bool
        /// `invalidValue` if a decoded member can't be a value (null, an array, `"ev": "yes"`), or if the entry has
        /// neither a value nor `ev`; otherwise `success`. An accessory answers with this status and doesn't apply an
        /// invalid entry.
        public var decodingStatus: HAPStatus

        /// Creates an entry.
        public init(
            id: CharacteristicID,
            value: CharacteristicValue? = nil,
            events: Bool? = nil,
            authorizationData: [UInt8]? = nil,
            isRemote: Bool = false,
            wantsResponse: Bool = false
        ) {
            self.id = id
            self.value = value
            self.events = events
            self.authorizationData = authorizationData
            self.isRemote = isRemote
            self.wantsResponse = wantsResponse
            decodingStatus = .success
        }
    }

    /// Creates a request.
    public init(entries: [Entry], pid: UInt64? = nil) {
        self.entries = entries
        self.pid = pid
    }

    /// Decodes the body of a request.
    /// - Throws: ``AttributeDecodingError`` if the body as a whole is malformed; answer with 400. A defect in the value
    ///   of one entry is reported in its ``Entry/decodingStatus``.
    public init(decoding body: [UInt8]) throws(AttributeDecodingError) {
        try self.init(decoding: body[...])
    }

    /// Decodes the body of a request, which may be a part of what a connection received.
    package init(decoding body: ArraySlice<UInt8>) throws(AttributeDecodingError) {
        if let request = CharacteristicListScanner.request(body) {
            self = request
        } else {
            try self.init(decodingTree: Array(body))
        }
    }

    /// Decodes a body in any form.
    init(decodingTree body: [UInt8]) throws(AttributeDecodingError) {
        let root = try AttributeObject(parsing: body, from: .controller)
        entries = try root.list(AttributeKey.characteristics, Entry.init(decoding:))
        pid = root.has(AttributeKey.pid) ? try root.id(AttributeKey.pid) : nil
    }

    /// The body.
    public func encoded() -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.key(AttributeKey.characteristics)
            writer.array { writer in
                for entry in entries { entry.encode(to: &writer) }
            }
            if let pid { writer.member(AttributeKey.pid, pid) }
        }
        return writer.bytes
    }

    /// The request to send.
    /// - Parameter host: The accessory's host, and its port if it is not 80.
    public func request(host: String) -> HTTPRequest {
        HTTPRequest(
            .put,
            HAPEndpoint.characteristics.path,
            host: host,
            contentType: HAPContentType.json,
            body: encoded()
        )
    }
}

extension CharacteristicWriteRequest.Entry {
    init(decoding object: AttributeObject) throws(AttributeDecodingError) {
        id = try CharacteristicID(decoding: object)
        value = object.value(AttributeKey.value)
        events = object.flag(AttributeKey.events)
        let authorization = object.optionalString(AttributeKey.authorizationData)
        authorizationData = authorization.flatMap { Base64.decode($0) }
        isRemote = object.flag(AttributeKey.remote) ?? false
        wantsResponse = object.flag(AttributeKey.response) ?? false
        let isWhole =
            object.has(AttributeKey.value) == (value != nil) && object.has(AttributeKey.events) == (events != nil)
            && object.has(AttributeKey.authorizationData) == (authorizationData != nil)
        decodingStatus = isWhole && (value != nil || events != nil) ? .success : .invalidValue
    }

    func encode(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member(id)
            if let value { writer.member(AttributeKey.value, value) }
            if let events { writer.member(AttributeKey.events, events) }
            if let authorizationData {
                writer.member(AttributeKey.authorizationData, Base64.encode(authorizationData))
            }
            if isRemote { writer.member(AttributeKey.remote, true) }
            if wantsResponse { writer.member(AttributeKey.response, true) }
        }
    }
}

extension CharacteristicWriteRequest.Entry: CustomReflectable {
    /// A mirror without the authorization data, so that printing and dumping don't show it.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "id": id, "value": value as Any, "events": events as Any, "isRemote": isRemote,
                "wantsResponse": wantsResponse, "decodingStatus": decodingStatus,
                "hasAuthorizationData": authorizationData != nil,
            ]
        )
    }
}
