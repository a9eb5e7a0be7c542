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
    static func invalidRequest(_ reason: String) -> Self { Self(code: -32_600, reason) }
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
