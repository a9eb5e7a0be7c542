import Foundation
import HAP

/// What a transport reads of a message before it chooses a session for it.
package struct MCPEnvelope: Hashable, Sendable {
    /// The method; `nil` for a response, and for what is no message.
    package var method: String?
    /// Whether the message needs a reply.
    package var isRequest = false
    /// The revision that the message itself names: those without `initialize`.
    package var version: String?
    /// The tool or the resource that a request is about.
    private var subject: String?

    /// Reads a message. What is no message has no method.
    package init(_ message: [UInt8]) {
        guard let object = (try? JSONValue(parsing: message))?.object else { return }
        method = object["method"]?.string
        isRequest = object["id"] != nil
        let parameters = object["params"]?.object
        version = parameters?["_meta"]?.object?[MCPSession.versionKey]?.string
        subject = parameters?[method == "resources/read" ? "uri" : "name"]?.string
    }

    /// The header fields that repeat parts of a message in the revisions without `initialize`.
    package struct Headers: Hashable, Sendable {
        /// `MCP-Protocol-Version`.
        package var version: String?
        /// `Mcp-Method`.
        package var method: String?
        /// `Mcp-Name`.
        package var name: String?

        /// Creates header fields.
        package init(version: String?, method: String?, name: String?) {
            self.version = version
            self.method = method
            self.name = name
        }
    }

    /// Returns the error of header fields that don't repeat the message; `nil` if they do.
    package func mismatch(with headers: Headers) -> MCPError? {
        guard headers.version == version else { return .headerMismatch("MCP-Protocol-Version") }
        guard headers.method == method else { return .headerMismatch("Mcp-Method") }
        guard ["tools/call", "resources/read"].contains(method), let subject else { return nil }
        return Self.decoded(headers.name) == subject ? nil : .headerMismatch("Mcp-Name")
    }

    /// Returns a header field's text. What isn't ASCII is sent as `=?base64?…?=`.
    private static func decoded(_ value: String?) -> String? {
        let (prefix, suffix) = ("=?base64?", "?=")
        guard let value, value.hasPrefix(prefix), value.hasSuffix(suffix), value.count >= prefix.count + suffix.count
        else { return value }
        let text = value.dropFirst(prefix.count).dropLast(suffix.count)
        return Data(base64Encoded: String(text)).flatMap { String(bytes: $0, encoding: .utf8) }
    }
}
