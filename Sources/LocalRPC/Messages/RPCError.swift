/// An error that a server, or the connection to it, reports.
///
/// Unknown codes are preserved: a client can always show the reason.
package struct RPCError: Error, Hashable, Sendable, Codable, CustomStringConvertible {
    /// A machine-readable error code.
    package struct Code: Hashable, Sendable, Codable, RawRepresentable {
        /// The name on the wire.
        package var rawValue: String

        /// Creates a code from its name on the wire.
        package init(rawValue: String) {
            self.rawValue = rawValue
        }
    }

    private enum CodingKeys: String, CodingKey {
        case code, reason
        case problem = "trouble"
        case parts = "data"
    }

    /// The error's name.
    package var code: Code
    /// The problem and the next step, for users.
    package var reason: String
    /// The name of the underlying problem, in the server's own vocabulary, if it is known. Its key on the wire is `trouble`.
    package var problem: String?
    /// What the reason names, as data; `nil` for nothing. Its key on the wire is `data`.
    package var parts: RPCErrorParts?

    /// Creates an error.
    package init(_ code: Code, _ reason: String, problem: String? = nil, parts: RPCErrorParts? = nil) {
        self.code = code
        self.reason = reason
        self.problem = problem
        self.parts = parts
    }

    /// Decodes an error. Parts in a form that this version doesn't know are left out, because the reason says it all.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        code = try container.decode(Code.self, forKey: .code)
        reason = try container.decode(String.self, forKey: .reason)
        problem = try container.decodeIfPresent(String.self, forKey: .problem)
        parts = try? container.decodeIfPresent(RPCErrorParts.self, forKey: .parts)
    }

    /// The code and the reason in one line.
    package var description: String { "\(code.rawValue): \(reason)" }
}

extension RPCError.Code {
    /// No server responds at the socket.
    package static let noHub = Self(rawValue: "noHub")
    /// Another user runs the program that responds at the socket.
    package static let untrustedHub = Self(rawValue: "untrustedHub")
    /// The connection ended before the reply.
    package static let connectionLost = Self(rawValue: "connectionLost")
    /// The message is invalid: it isn't JSON, has no method, has parameters of the wrong form or is too long.
    package static let malformedMessage = Self(rawValue: "malformedMessage")
    /// The server has no such method.
    package static let unknownMethod = Self(rawValue: "unknownMethod")
}
