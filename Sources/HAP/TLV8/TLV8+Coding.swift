extension TLV8 {
    /// The maximum length of a fragment's value.
    private static let fragmentLength = Int(UInt8.max)
    /// A type byte and a length byte.
    private static let headerLength = 2

    /// Decodes complete TLV8 bytes.
    ///
    /// Decoding is strict: two adjacent items of one type are fragments of one value if the first is full (255 bytes),
    /// and an error otherwise. An empty continuation is also an error. Items of unknown types are preserved.
    public init(decoding bytes: some Collection<UInt8>) throws(TLV8Error) {
        try self.init(decoding: Array(bytes), joiningNeighbors: false)
    }

    /// Decodes complete TLV8 bytes.
    ///
    /// - Parameter joiningNeighbors: Whether adjacent items of one type are fragments of one value regardless of their
    ///   lengths.
    private init(decoding bytes: [UInt8], joiningNeighbors: Bool) throws(TLV8Error) {
        var items: [Item] = []
        var start = 0
        // Whether the last item's last fragment was full, so that an item of the same type continues it.
        var lastIsFull = false
        while start < bytes.count {
            let type = TLVType(rawValue: bytes[start])
            guard start + 1 < bytes.count else { throw .truncatedHeader }
            let length = Int(bytes[start + 1])
            let valueStart = start + Self.headerLength
            guard length <= bytes.count - valueStart else { throw .truncatedValue(type) }
            start = valueStart + length
            let value = bytes[valueStart..<start]
            if let last = items.indices.last, items[last].type == type {
                guard lastIsFull || joiningNeighbors else { throw .missingSeparator(type) }
                guard length > 0 || joiningNeighbors else { throw .emptyContinuation(type) }
                items[last].value += value
            } else {
                items.append(Item(type, Array(value)))
            }
            lastIsFull = length == Self.fragmentLength
        }
        self.init(items)
    }

    /// Decodes a pairing message that is not a list. No type may occur twice.
    public init(decodingMessage bytes: some Collection<UInt8>) throws(TLV8Error) {
        try self.init(decoding: bytes)
        try refuseRepeatedTypes()
    }

    /// Decodes an accessory's pairing message that is not a list. As accessories on the market write it, a value may be
    /// split into fragments of any length, including empty ones. No type may occur twice otherwise.
    init(decodingReply bytes: some Collection<UInt8>) throws(TLV8Error) {
        try self.init(decoding: Array(bytes), joiningNeighbors: true)
        try refuseRepeatedTypes()
    }

    /// Decodes an accessory's pairing message that is a list. As accessories on the market write it, the next entry
    /// begins at a separator of either kind, or at a type that the current entry already has.
    static func entries(decodingReply bytes: some Collection<UInt8>) throws(TLV8Error) -> [TLV8] {
        var entries: [TLV8] = []
        var entry = TLV8()
        for item in try TLV8(decoding: Array(bytes), joiningNeighbors: true).items {
            let isSeparator = item.value.isEmpty && [.separator, .valueSeparator].contains(item.type)
            if isSeparator || entry[item.type] != nil {
                entries.append(entry)
                entry = TLV8()
            }
            if !isSeparator { entry.append(item.type, item.value) }
        }
        return (entries + [entry]).filter { !$0.items.isEmpty }
    }

    /// Returns the encoded bytes.
    ///
    /// - Parameter separator: The type of the empty item that separates two adjacent items of one type, which a reader
    ///   couldn't tell apart otherwise.
    public func encoded(separator: TLVType = .separator) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(items.reduce(0) { $0 + $1.value.count + Self.headerLength })
        var previous: TLVType?
        for item in items {
            if item.type == previous {
                bytes += [separator.rawValue, 0]
            }
            previous = item.type
            var rest = item.value[...]
            repeat {
                let fragment = rest.prefix(Self.fragmentLength)
                bytes.append(item.type.rawValue)
                bytes.append(UInt8(fragment.count))
                bytes.append(contentsOf: fragment)
                rest = rest.dropFirst(fragment.count)
            } while !rest.isEmpty
        }
        return bytes
    }

    private func refuseRepeatedTypes() throws(TLV8Error) {
        // A bit for each type, which takes less than a set.
        var seen = SIMD4<UInt64>.zero
        for item in items {
            let (word, bit) = Int(item.type.rawValue).quotientAndRemainder(dividingBy: UInt64.bitWidth)
            guard seen[word] & 1 << bit == 0 else { throw .repeatedType(item.type) }
            seen[word] |= 1 << bit
        }
    }
}
