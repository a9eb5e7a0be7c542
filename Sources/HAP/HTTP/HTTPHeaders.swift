/// The header fields of a message, in order. Names are case-insensitive.
public struct HTTPHeaders: Hashable, Sendable {
    private var fields: [Field] = []

    /// A header field.
    public struct Field: Hashable, Sendable {
        /// The name, with its original case.
        public let name: String
        /// The value, without leading and trailing white space.
        public let value: String
    }

    /// Creates headers without fields.
    public init() {}

    /// The value of the first field with the name, or `nil` if there is none.
    public subscript(name: String) -> String? {
        fields.first { HTTPSyntax.isSameName($0.name, name) }?.value
    }

    /// Returns the values of all fields with the name, in order.
    public func values(of name: String) -> [String] {
        fields.filter { HTTPSyntax.isSameName($0.name, name) }.map(\.value)
    }

    /// Adds a field at the end.
    public mutating func add(_ name: String, _ value: String) {
        fields.append(Field(name: name, value: value))
    }

    /// Removes all fields with the name.
    public mutating func remove(_ name: String) {
        fields.removeAll { HTTPSyntax.isSameName($0.name, name) }
    }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
    /// Creates headers from names and values, in the order of the literal.
    public init(dictionaryLiteral elements: (String, String)...) {
        fields = elements.map { Field(name: $0.0, value: $0.1) }
    }
}

extension HTTPHeaders: RandomAccessCollection {
    /// The position of the first field.
    public var startIndex: Int { fields.startIndex }
    /// The position after the last field.
    public var endIndex: Int { fields.endIndex }
    /// The field at the position.
    public subscript(position: Int) -> Field { fields[position] }
}
