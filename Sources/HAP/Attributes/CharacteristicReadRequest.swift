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
        self.init(ids: [])
        var seen: Set<String> = []
        for part in query.utf8.split(separator: UInt8(ascii: "&")) {
            let pair = Substring(part)
            let end = part.firstIndex(of: UInt8(ascii: "=")) ?? part.endIndex
            guard let name = HTTPSyntax.percentDecoded(pair[..<end]),
                let value = HTTPSyntax.percentDecoded(Substring(part[end...].dropFirst()))
            else { throw AttributeDecodingError(path: String(pair[..<end]), reason: "has a malformed percent escape") }
            guard Self.parameters.contains(name) else { continue }
            guard seen.insert(name).inserted else { throw AttributeDecodingError(path: name, reason: "is duplicated") }
            switch name {
            case AttributeKey.id: ids = try Self.ids(value)
            case AttributeKey.metadata: metadata = try Self.flag(name, value)
            case AttributeKey.permissions: permissions = try Self.flag(name, value)
            case AttributeKey.type: type = try Self.flag(name, value)
            default: events = try Self.flag(name, value)
            }
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

    private static let parameters = [
        AttributeKey.id, AttributeKey.metadata, AttributeKey.permissions, AttributeKey.type, AttributeKey.events,
    ]

    private static func ids(_ value: String) throws(AttributeDecodingError) -> [CharacteristicID] {
        var ids: [CharacteristicID] = []
        let parts = value.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: value.isEmpty)
        for part in parts.lazy.map({ Substring($0) }) {
            guard let id = CharacteristicID(part) else {
                throw AttributeDecodingError(path: AttributeKey.id, reason: "'\(part)' is not of the form aid.iid")
            }
            ids.append(id)
        }
        return ids
    }

    private static func flag(_ name: String, _ value: String) throws(AttributeDecodingError) -> Bool {
        switch value {
        case "1", "true": return true
        case "0", "false": return false
        default: throw AttributeDecodingError(path: name, reason: "'\(value)' is neither 0 nor 1")
        }
    }
}
