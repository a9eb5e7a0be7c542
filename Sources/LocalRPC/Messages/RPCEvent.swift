package import Foundation

/// An event that a server sends to its clients, a JSON-RPC notification on the wire.
package protocol RPCEvent: Hashable, Sendable {
    /// A position in the history that events report. See ``RPCReply/follows``.
    associatedtype Position: Hashable, Codable, Sendable

    /// The name on the wire.
    var method: String { get }
    /// Whether the event replaces everything that was sent before. A client that is behind can leave one unread.
    var isReset: Bool { get }

    /// Reads an event.
    ///
    /// - Returns: `nil` if the name is unknown, because the server is newer.
    /// - Throws: `DecodingError` if the payload doesn't match the name.
    init?(method: String, payload: Data) throws
    /// Returns the event without its name, as JSON.
    func payload() throws -> Data
    /// Returns positions as the elements of a JSON array, without its brackets.
    static func json(_ positions: [Position]) -> String
}

/// The events of a server that sends none.
package enum NoEvents: RPCEvent {
    package typealias Position = Never

    package var method: String { switch self {} }
    package var isReset: Bool { switch self {} }

    package init?(method: String, payload: Data) { nil }
    package func payload() -> Data { switch self {} }
    package static func json(_ positions: [Never]) -> String { "" }
}
