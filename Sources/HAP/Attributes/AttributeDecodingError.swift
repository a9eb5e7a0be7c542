/// An error in a message that is not JSON, or whose JSON doesn't conform to HAP.
public struct AttributeDecodingError: Error, Hashable, Sendable {
    /// The path of the defect from the root of the message, such as
    /// `accessories[3].services[1].characteristics[0].format`. Empty if the message as a whole is malformed.
    public var path: String
    /// The defect, and what was expected.
    public var reason: String

    /// Creates an error.
    public init(path: String = "", reason: String) {
        self.path = path
        self.reason = reason
    }

    /// Returns the error with the path of an enclosing value prepended.
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
