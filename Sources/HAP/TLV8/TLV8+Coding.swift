extension TLV8 {
    /// The longest value that one fragment holds.
    private static let fragmentLength = Int(UInt8.max)
    /// A type byte and a length byte.
    private static let headerLength = 2

    /// Decodes whole TLV8 bytes.
    ///
    /// Strict: two neighbors of one type are fragments of one value if the former is full (255 bytes), and an error
    /// otherwise, as is an empty continuation. Items of unknown type are kept.
    public init(decoding bytes: some Collection<UInt8>) throws(TLV8Error) {
        try self.init(decoding: bytes, joiningNeighbours: false)
    }

    /// Decodes whole TLV8 bytes.
    ///
    /// - Parameter joiningNeighbors: Whether neighbors of one type are fragments of one value however long they are.
    private init(decoding bytes: some Collection<UInt8>, joiningNeighbours: Bool) throws(TLV8Error) {
        self.init()
        var rest = bytes[...]
        var items: [Item] = []
        // Whether the last item's last fragment was full, so that another of its type continues it.
        var lastIsFull = false
        while let rawType = rest.popFirst() {
            let type = TLVType(rawValue: rawType)
            guard let length = rest.popFirst().map(Int.init) else { throw .truncatedHeader }
            let value = rest.prefix(length)
            guard value.count == length else { throw .truncatedValue(type) }
            rest = rest.dropFirst(length)
            if let last = items.indices.last, items[last].type == type {
                guard lastIsFull || joiningNeighbours else { throw .missingSeparator(type) }
                guard length > 0 || joiningNeighbours else { throw .emptyContinuation(type) }
                items[last].value.append(contentsOf: value)
            } else {
                items.append(Item(type, Array(value)))
            }
            lastIsFull = length == Self.fragmentLength
        }
        self.init(items)
    }

    /// Decodes a pairing message that is not a list: no type may occur twice.
    public init(decodingMessage bytes: some Collection<UInt8>) throws(TLV8Error) {
        try self.init(decoding: bytes)
        try refuseRepeatedTypes()
    }

    /// Decodes an accessory's pairing message that is not a list, as accessories on the market write it: a value may be
    /// cut into fragments of any length, an empty one included. No type may occur twice apart.
    init(decodingReply bytes: some Collection<UInt8>) throws(TLV8Error) {
        try self.init(decoding: bytes, joiningNeighbours: true)
        try refuseRepeatedTypes()
    }

    /// Decodes an accessory's pairing message that is a list, as accessories on the market write it: besides a separator
    /// of either kind, a type that the entry has already begins the next one.
    static func entries(decodingReply bytes: some Collection<UInt8>) throws(TLV8Error) -> [TLV8] {
        var entries: [TLV8] = []
        var entry = TLV8()
        for item in try TLV8(decoding: bytes, joiningNeighbours: true).items {
            let isSeparator = item.value.isEmpty && [.separator, .valueSeparator].contains(item.type)
            if isSeparator || entry[item.type] != nil {
                entries.append(entry)
                entry = TLV8()
            }
            if !isSeparator { entry.append(item.type, item.value) }
        }
        return (entries + [entry]).filter { !$0.items.isEmpty }
    }

    /// The bytes on the wire.
    ///
    /// - Parameter separator: the type of the empty item that is put between two neighbors of one type, which a
    ///   reader could not tell apart otherwise.
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
        var seen: Set<TLVType> = []
        for item in items where !seen.insert(item.type).inserted {
            throw .repeatedType(item.type)
        }
    }
}
