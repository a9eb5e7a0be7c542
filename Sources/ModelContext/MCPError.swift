/// An error of a request, with JSON-RPC's code.
package struct MCPError: Error, Hashable, Sendable {
    /// The code.
    package var code: Int
    /// What is wrong.
    package var message: String

    /// Creates an error.
    package init(code: Int, _ message: String) {
        self.code = code
        self.message = message
    }

    static func notJSON(_ reason: String) -> Self { Self(code: -32_700, "The message isn't valid JSON: \(reason).") }
    /// The message can't be accepted here.
    package static func invalidRequest(_ reason: String) -> Self { Self(code: -32_600, reason) }
    /// A header field doesn't repeat the message.
    static func headerMismatch(_ field: String) -> Self {
        Self(code: -32_020, "The header field \(field) doesn't match the message.")
    }
    static func unknownMethod(_ method: String) -> Self {
        Self(code: -32_601, "This server has no method “\(method.prefix(80))”.")
    }
    /// The parameters don't fit the method.
    package static func invalidParameters(_ reason: String) -> Self { Self(code: -32_602, reason) }
    /// There is no such resource.
    package static func noResource(_ uri: String) -> Self {
        Self(code: -32_002, "There is no resource \(uri.prefix(200)).")
    }
    /// The server failed.
    package static func failed(_ reason: String) -> Self { Self(code: -32_603, reason) }
}
