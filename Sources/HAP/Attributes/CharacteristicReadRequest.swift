import HAPCatalog

/// The request `GET /characteristics?id=1.9,1.10`, which reads characteristics. Source: HAP specification 6.7.4.
public struct CharacteristicReadRequest: Hashable, Sendable {
    /// The characteristics to read. The response has one entry for each, in this order.
    public var ids: [CharacteristicID]
    /// Whether the response should include format, unit and bounds (`meta`).
    public var metadata: Bool
    /// Whether the response should include permissions (`perms`).
    public var permissions: Bool
    /// Whether the response should include types (`type`).
    public var type: Bool
    /// Whether the response should include the connection's subscriptions (`ev`).
    public var events: Bool

    /// Creates a request.
    public init(
        ids: [CharacteristicID],
        metadata: Bool = false,
        permissions: Bool = false,
        type: Bool = false,
        events: Bool = false
    ) {
        self.ids = ids
        self.metadata = metadata
        self.permissions = permissions
        self.type = type
        self.events = events
    }

    /// Parses the query of a request, without its question mark. Unknown parameters are ignored; without `id`, there is
    /// nothing to read.
    /// - Throws: ``AttributeDecodingError`` with the name of the parameter if an ID is not `aid.iid`, a flag is neither
    ///   0 nor 1, a parameter is duplicated, or a percent escape is malformed.
    public init(query: String) throws(AttributeDecodingError) {
        try self.init(query: Array(query.utf8)[...])
    }

    /// Parses the bytes of a query.
    package init(query: ArraySlice<UInt8>) throws(AttributeDecodingError) {
        if let ids = Self.soleIDs(query) {
            self.init(ids: ids)
            return
        }
        self.init(ids: [])
        var seen: [String] = []
        var rest = query
        while !rest.isEmpty {
            let part = rest.prefix { $0 != UInt8(ascii: "&") }
            rest = rest[part.endIndex...].dropFirst()
            guard !part.isEmpty else { continue }
            let encodedName = part.prefix { $0 != UInt8(ascii: "=") }
            guard let nameBytes = HTTPSyntax.percentDecoded(encodedName),
                let value = HTTPSyntax.percentDecoded(part[encodedName.endIndex...].dropFirst())
            else {
                let name = String(decoding: encodedName, as: UTF8.self)
                throw AttributeDecodingError(path: name, reason: "has a malformed percent escape")
            }
            let name = String(decoding: nameBytes, as: UTF8.self)
            guard !seen.contains(name) else { throw AttributeDecodingError(path: name, reason: "is duplicated") }
            switch name {
            case AttributeKey.id: ids = try Self.ids(value)
            case AttributeKey.metadata: metadata = try Self.flag(name, value)
            case AttributeKey.permissions: permissions = try Self.flag(name, value)
            case AttributeKey.type: type = try Self.flag(name, value)
            case AttributeKey.events: events = try Self.flag(name, value)
            default: continue
            }
            // Most requests have no other parameter.
            if !rest.isEmpty { seen.append(name) }
        }
    }

    /// Returns the IDs of a query that has no other parameter and no percent escape, as those of most requests; `nil`
    /// for any other.
    private static func soleIDs(_ query: ArraySlice<UInt8>) -> [CharacteristicID]? {
        query.withUnsafeBytes { query in
            let prefix: StaticString = "id="
            guard query.count > prefix.utf8CodeUnitCount,
                HTTPSyntax.isSame(query.prefix(prefix.utf8CodeUnitCount), prefix)
            else { return nil }
            return CharacteristicID.list(UnsafeRawBufferPointer(rebasing: query[prefix.utf8CodeUnitCount...]))
        }
    }

    /// The path and query.
    public var target: String {
        var target = "\(HAPEndpoint.characteristics.path)?\(AttributeKey.id)="
        target += ids.lazy.map(\.description).joined(separator: ",")
        let flags = [
            (AttributeKey.metadata, metadata), (AttributeKey.permissions, permissions), (AttributeKey.type, type),
            (AttributeKey.events, events),
        ]
        for (name, isSet) in flags where isSet { target += "&\(name)=1" }
        return target
    }

    /// The request to send.
    /// - Parameter host: The accessory's host, and its port if it is not 80.
    public func request(host: String) -> HTTPRequest {
        HTTPRequest(.get, target, host: host)
    }

    private static func ids(_ value: ArraySlice<UInt8>) throws(AttributeDecodingError) -> [CharacteristicID] {
        guard !value.isEmpty else { return [] }
        if let ids = value.withUnsafeBytes(CharacteristicID.list) { return ids }
        let parts = value.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        let text = parts.first { CharacteristicID($0) == nil }.map { String(decoding: $0, as: UTF8.self) } ?? ""
        throw AttributeDecodingError(path: AttributeKey.id, reason: "'\(text)' is not of the form aid.iid")
    }

    private static func flag(_ name: String, _ value: ArraySlice<UInt8>) throws(AttributeDecodingError) -> Bool {
        let text = String(decoding: value, as: UTF8.self)
        switch text {
        case "1", "true": return true
        case "0", "false": return false
        default: throw AttributeDecodingError(path: name, reason: "'\(text)' is neither 0 nor 1")
        }
    }
}
