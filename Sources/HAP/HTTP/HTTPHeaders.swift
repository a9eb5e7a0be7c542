internal import HAPCatalog

/// The header fields of a message, in order. Names are case-insensitive.
public struct HTTPHeaders: Hashable, Sendable {
    /// The names and values of all fields, one after the other. Two arrays cost less than two strings for each field.
    private var text: [UInt8] = []
    private var bounds: [Bounds] = []

    /// The ends of a field in ``text``. It starts where the previous one ends.
    private struct Bounds: Hashable {
        let name: Int
        let value: Int
    }

    /// The length and the number of the fields that most messages have, so that arrays don't grow one step at a time.
    private static let (usualLength, usualCount) = (96, 4)

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
        firstValue(of: name).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Returns the values of all fields with the name, in order.
    public func values(of name: String) -> [String] {
        indices.filter { HTTPSyntax.isSameName(self.name(at: $0), name) }.map { self[$0].value }
    }

    /// Adds a field at the end.
    public mutating func add(_ name: String, _ value: String) {
        text.append(string: name)
        let nameEnd = text.count
        text.append(string: value)
        bounds.append(Bounds(name: nameEnd, value: text.count))
    }

    /// Removes all fields with the name.
    public mutating func remove(_ name: String) {
        var rest = HTTPHeaders()
        for index in indices where !HTTPSyntax.isSameName(self.name(at: index), name) {
            rest.add(self.name(at: index), value(at: index))
        }
        self = rest
    }
}

extension HTTPHeaders {
    /// The headers of a message with a HAP JSON body.
    static let json: HTTPHeaders = [HTTPHeaderName.contentType: HAPContentType.json]
}

// MARK: Bytes

extension HTTPHeaders {
    /// Adds a field at the end.
    private mutating func add(_ name: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>) {
        name.withUnsafeBytes { name in value.withUnsafeBytes { value in add(name, value) } }
    }

    /// Adds a field at the end.
    mutating func add(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
        if bounds.isEmpty {
            text.reserveCapacity(Self.usualLength)
            bounds.reserveCapacity(Self.usualCount)
        }
        text += name
        let nameEnd = text.count
        text += value
        bounds.append(Bounds(name: nameEnd, value: text.count))
    }

    /// Returns the name of a field.
    func name(at index: Int) -> ArraySlice<UInt8> {
        text[(index == 0 ? 0 : bounds[index - 1].value)..<bounds[index].name]
    }

    /// Returns the value of a field.
    func value(at index: Int) -> ArraySlice<UInt8> {
        text[bounds[index].name..<bounds[index].value]
    }

    /// Returns the value of the first field with the name, or `nil` if there is none.
    func firstValue(of name: String) -> ArraySlice<UInt8>? {
        firstIndex(of: name, from: 0).map { value(at: $0) }
    }

    /// Returns the first field with the name at or after a position, or `nil` if there is none.
    func firstIndex(of name: String, from start: Int) -> Int? {
        (start..<bounds.count).first { HTTPSyntax.isSameName(self.name(at: $0), name) }
    }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
    /// Creates headers from names and values, in the order of the literal.
    public init(dictionaryLiteral elements: (String, String)...) {
        for (name, value) in elements { add(name, value) }
    }
}

extension HTTPHeaders: RandomAccessCollection {
    /// The position of the first field.
    public var startIndex: Int { 0 }
    /// The position after the last field.
    public var endIndex: Int { bounds.count }
    /// The field at the position.
    public subscript(position: Int) -> Field {
        Field(
            name: String(decoding: name(at: position), as: UTF8.self),
            value: String(decoding: value(at: position), as: UTF8.self)
        )
    }
}
