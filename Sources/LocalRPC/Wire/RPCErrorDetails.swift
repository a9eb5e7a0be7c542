/// The member `data` of an error in a reply: the names of the error and of its problem, and beside them what the reason
/// names.
package struct RPCErrorDetails: Hashable, Sendable, Codable {
    private enum CodingKeys: String, CodingKey {
        case code, trouble
    }

    /// The error's name; `nil` where it is told elsewhere.
    package var code: String?
    /// The name of the underlying problem.
    package var trouble: String?
    /// What the reason names.
    package var parts: RPCErrorParts?

    /// Creates the details of an error.
    ///
    /// - Parameter hasCode: Whether they contain the error's name.
    package init(_ error: RPCError, hasCode: Bool = true) {
        code = hasCode ? error.code.rawValue : nil
        trouble = error.problem
        parts = error.parts
    }

    /// Decodes the details. Parts in a form that this version doesn't know are left out.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        code = try container.decodeIfPresent(String.self, forKey: .code)
        trouble = try container.decodeIfPresent(String.self, forKey: .trouble)
        let parts = try? RPCErrorParts(from: decoder)
        self.parts = parts == RPCErrorParts() ? nil : parts
    }

    /// Encodes all members side by side.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(code, forKey: .code)
        try container.encodeIfPresent(trouble, forKey: .trouble)
        try parts?.encode(to: encoder)
    }

    /// Whether there is nothing to say.
    package var isEmpty: Bool { code == nil && trouble == nil && parts == nil }
}
