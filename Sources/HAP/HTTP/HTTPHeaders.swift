internal import HAPCatalog

/// The header fields of a message, in order. Names are case-insensitive.
public struct HTTPHeaders: Hashable, Sendable {
    /// The fields, one after the other: the lengths of the name and the value, the name, and the value. One array costs
    /// less than two strings for each field.
    private var bytes: [UInt8] = []

    /// The beginning of a field: the lengths of its name and value.
    private struct Lengths {
        let name: UInt32
        let value: UInt32

        static var size: Int { MemoryLayout<Lengths>.size }
        /// The length of what precedes the value.
        var beforeValue: Int { Self.size + Int(name) }
        /// The length of the whole field.
        var ofField: Int { beforeValue + Int(value) }
    }

    /// The length of the fields that most messages have, so that the array doesn't grow one step at a time.
    private static let usualLength = 128

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
        var (name, value) = (name, value)
        name.withUTF8 { name in
            value.withUTF8 { value in add(UnsafeRawBufferPointer(name), UnsafeRawBufferPointer(value)) }
        }
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
        let lengths = Lengths(name: UInt32(name.count), value: UInt32(value.count))
        if bytes.isEmpty { bytes.reserveCapacity(Self.usualLength) }
        bytes.append(addingCapacity: lengths.ofField) { output in
            output.withUnsafeMutableBufferPointer { output, count in
                let field = UnsafeMutableRawBufferPointer(output)
                field.storeBytes(of: lengths, as: Lengths.self)
                UnsafeMutableRawBufferPointer(rebasing: field[Lengths.size...]).copyMemory(from: name)
                UnsafeMutableRawBufferPointer(rebasing: field[lengths.beforeValue...]).copyMemory(from: value)
                count = lengths.ofField
            }
        }
    }

    /// Returns the lengths of the parts of a field.
    private func lengths(at index: Index) -> Lengths {
        precondition(index.offset <= bytes.count - Lengths.size, "no field is at the index")
        return bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: index.offset, as: Lengths.self) }
    }

    /// Returns the name of a field.
    func name(at index: Index) -> ArraySlice<UInt8> {
        bytes[(index.offset + Lengths.size)..<index.offset + lengths(at: index).beforeValue]
    }

    /// Returns the value of a field.
    func value(at index: Index) -> ArraySlice<UInt8> {
        let lengths = lengths(at: index)
        return bytes[(index.offset + lengths.beforeValue)..<index.offset + lengths.ofField]
    }

    /// Returns the value of the first field with the name, or `nil` if there is none.
    func firstValue(of name: String) -> ArraySlice<UInt8>? {
        firstIndex(of: name).map { value(at: $0) }
    }

    /// Returns the first field with the name, or `nil` if there is none.
    ///
    /// - Parameter start: The first field to look at, or `nil` for all.
    func firstIndex(of name: String, from start: Index? = nil) -> Index? {
        var index = start ?? startIndex
        while index < endIndex {
            let lengths = lengths(at: index)
            // Most names have another length.
            if Int(lengths.name) == name.utf8.count, HTTPSyntax.isSameName(self.name(at: index), name) { return index }
            index = Index(offset: index.offset + lengths.ofField)
        }
        return nil
    }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
    /// Creates headers from names and values, in the order of the literal.
    public init(dictionaryLiteral elements: (String, String)...) {
        for (name, value) in elements { add(name, value) }
    }
}

extension HTTPHeaders: Collection {
    /// The position of a field.
    public struct Index: Comparable, Hashable, Sendable {
        /// The place in ``HTTPHeaders/bytes``.
        fileprivate let offset: Int

        /// Returns whether the left field is before the right one.
        public static func < (left: Index, right: Index) -> Bool { left.offset < right.offset }
    }

    /// The position of the first field.
    public var startIndex: Index { Index(offset: 0) }
    /// The position after the last field.
    public var endIndex: Index { Index(offset: bytes.count) }
    /// Returns the position of the next field.
    public func index(after position: Index) -> Index {
        Index(offset: position.offset + lengths(at: position).ofField)
    }
    /// The field at the position.
    public subscript(position: Index) -> Field {
        Field(
            name: String(decoding: name(at: position), as: UTF8.self),
            value: String(decoding: value(at: position), as: UTF8.self)
        )
    }
}
