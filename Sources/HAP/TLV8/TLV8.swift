/// A sequence of typed values in HAP's TLV8 format.
///
/// On the wire, an item is a type byte, a length byte and the value. Longer values are split into fragments of 255
/// bytes. A `TLV8` contains the values in order, with fragments joined.
public struct TLV8: Hashable, Sendable {
    /// A value with its type.
    public struct Item: Hashable, Sendable {
        /// The type byte.
        public var type: TLVType
        /// The value, of any length.
        public var value: [UInt8]

        /// Creates an item.
        public init(_ type: TLVType, _ value: [UInt8]) {
            self.type = type
            self.value = value
        }
    }

    /// The items in their order on the wire, including separators.
    public private(set) var items: [Item]

    /// Creates a TLV8 from items.
    public init(_ items: [Item] = []) {
        self.items = items
    }

    /// Creates a list: the items of all entries, with a separator between entries.
    public init(list entries: some Sequence<TLV8>, separator: TLVType = .separator) {
        items = Array(entries.map(\.items).joined(separator: [Item(separator, [])]))
    }

    /// Appends a value.
    public mutating func append(_ type: TLVType, _ value: [UInt8]) {
        items.append(Item(type, value))
    }

    /// Appends an integer, little-endian in as few bytes as possible, at least one.
    public mutating func append(_ type: TLVType, integer: some UnsignedInteger & FixedWidthInteger) {
        var rest = UInt64(integer)
        var value: [UInt8] = []
        repeat {
            value.append(UInt8(truncatingIfNeeded: rest))
            rest >>= UInt8.bitWidth
        } while rest != 0
        append(type, value)
    }

    /// The first value of a type, or `nil` if there is none.
    public subscript(type: TLVType) -> [UInt8]? {
        items.first { $0.type == type }?.value
    }

    /// Returns the first value of a type as a little-endian unsigned integer, or `nil` if there is none.
    ///
    /// Integers with extra zero bytes are accepted.
    ///
    /// - Throws: ``TLV8Error/invalidInteger(_:)`` if the value is empty or longer than eight bytes.
    public func integer(_ type: TLVType) throws(TLV8Error) -> UInt64? {
        guard let value = self[type] else { return nil }
        guard (1...MemoryLayout<UInt64>.size).contains(value.count) else { throw .invalidInteger(type) }
        return value.reversed().reduce(0) { $0 << UInt8.bitWidth | UInt64($1) }
    }
}
