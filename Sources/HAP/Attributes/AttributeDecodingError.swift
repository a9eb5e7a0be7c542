/// A message that is no JSON, or whose JSON is not what HAP asks for.
public struct AttributeDecodingError: Error, Hashable, Sendable {
    /// Where it is wrong, from the root of the message: `accessories[3].services[1].characteristics[0].format`. Empty
    /// if the message as a whole is wrong.
    public var path: String
    /// What is wrong and what would be right.
    public var reason: String

    /// Creates an error.
    public init(path: String = "", reason: String) {
        self.path = path
        self.reason = reason
    }

    /// The same error, seen from an enclosing value.
    func within(_ prefix: String) -> AttributeDecodingError {
        let separator = path.isEmpty || path.hasPrefix("[") ? "" : "."
        return AttributeDecodingError(path: prefix + separator + path, reason: reason)
    }
}

extension AttributeDecodingError: CustomStringConvertible {
    /// The path and the reason.
    public var description: String {
        path.isEmpty ? reason : "\(path): \(reason)"
    }
}
