/// A decoder of DNS messages. For any input, decoding terminates and takes time and memory bounded by the packet's
/// size.
struct MessageDecoder {
    private let bytes: [UInt8]
    private var position = 0

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Decodes a packet. Bytes after the last record are ignored.
    static func decode(_ bytes: [UInt8]) throws(DNSMessageError) -> DNSMessage {
        guard bytes.count <= DNSFormat.maximumMessageSize else { throw .messageTooLarge }
        guard bytes.count >= DNSFormat.headerSize else { throw .truncated }
        var decoder = MessageDecoder(bytes)
        let id = try decoder.readUInt16()
        var message = DNSMessage(id: id, flags: DNSMessage.Flags(rawValue: try decoder.readUInt16()))
        let questions = Int(try decoder.readUInt16())
        let answers = Int(try decoder.readUInt16())
        let authorities = Int(try decoder.readUInt16())
        let additionals = Int(try decoder.readUInt16())
        // A packet that is too short for its counts is rejected before memory is allocated for them.
        let least =
            questions * DNSFormat.minimumQuestionSize
            + (answers + authorities + additionals) * DNSFormat.minimumRecordSize
        guard least <= bytes.count - DNSFormat.headerSize else { throw .truncated }
        message.questions.reserveCapacity(questions)
        for _ in 0..<questions {
            message.questions.append(try decoder.readQuestion())
        }
        message.answers = try decoder.readRecords(answers)
        message.authorities = try decoder.readRecords(authorities)
        message.additionals = try decoder.readRecords(additionals)
        return message
    }

    private mutating func readRecords(_ count: Int) throws(DNSMessageError) -> [ResourceRecord] {
        var records: [ResourceRecord] = []
        records.reserveCapacity(count)
        for _ in 0..<count {
            records.append(try readRecord())
        }
        return records
    }

    private mutating func readQuestion() throws(DNSMessageError) -> DNSQuestion {
        let name = try readName()
        let type = RecordType(rawValue: try readUInt16())
        let (recordClass, topBit) = try readClass()
        return DNSQuestion(name: name, type: type, recordClass: recordClass, wantsUnicast: topBit)
    }

    private mutating func readRecord() throws(DNSMessageError) -> ResourceRecord {
        let name = try readName()
        let type = RecordType(rawValue: try readUInt16())
        let (recordClass, topBit) = try readClass()
        let ttl = UInt32(try readUInt16()) << 16 | UInt32(try readUInt16())
        let size = Int(try readUInt16())
        let end = position + size
        guard end <= bytes.count else { throw .truncated }
        let data = try readData(type, until: end)
        guard position == end else { throw .malformedData(type) }
        return ResourceRecord(name: name, recordClass: recordClass, isUnique: topBit, ttl: ttl, data: data)
    }

    private mutating func readData(_ type: RecordType, until end: Int) throws(DNSMessageError) -> RecordData {
        switch type {
        case .a, .aaaa:
            let address = IPAddress(bytes: readBytes(until: end))
            guard let address, address.isIPv4 == (type == .a) else { throw .malformedData(type) }
            return .address(address)
        case .ptr:
            return .ptr(try readName())
        case .srv:
            return .srv(
                priority: try readUInt16(),
                weight: try readUInt16(),
                port: try readUInt16(),
                host: try readName()
            )
        case .txt:
            return .txt(try readStrings(until: end))
        case .nsec:
            return try readNSEC(until: end)
        default:
            return .opaque(type, Array(readBytes(until: end)))
        }
    }

    private mutating func readStrings(until end: Int) throws(DNSMessageError) -> [UInt8] {
        let strings = readBytes(until: end)
        var index = strings.startIndex
        while index < end {
            index += 1 + Int(strings[index])
        }
        guard index == end else { throw .malformedData(.txt) }
        return Array(strings)
    }

    private mutating func readNSEC(until end: Int) throws(DNSMessageError) -> RecordData {
        let next = try readName()
        var types: [RecordType] = []
        while position + 2 <= end {
            let block = bytes[position]
            let size = Int(bytes[position + 1])
            position += 2
            guard (1...DNSFormat.nsecMaximumBitmapSize).contains(size), position + size <= end else {
                throw .malformedData(.nsec)
            }
            let bitmap = readBytes(until: position + size)
            guard block == 0 else { continue }
            for (index, byte) in bitmap.enumerated() where byte != 0 {
                for bit in 0..<8 where byte & (0x80 >> UInt8(bit)) != 0 {
                    types.append(RecordType(rawValue: UInt16(index * 8 + bit)))
                }
            }
        }
        return .nsec(next: next, types: types)
    }

    /// Reads a name, following pointers. Each pointer must lead before the start of the part of the name that contains
    /// it, so that pointers can't form a cycle.
    private mutating func readName() throws(DNSMessageError) -> DomainName {
        var wire: [UInt8] = []
        var index = position
        var partStart = position
        var pointers = 0
        var afterName: Int?
        while true {
            guard index < bytes.count else { throw .truncated }
            let length = bytes[index]
            switch length & DNSFormat.labelKindMask {
            case 0 where length == 0:
                position = afterName ?? index + 1
                return DomainName(wire: wire)
            case 0:
                let end = index + 1 + Int(length)
                guard end <= bytes.count else { throw .truncated }
                wire.append(contentsOf: bytes[index..<end])
                guard wire.count < DNSFormat.maximumNameSize else { throw .nameTooLong }
                index = end
            case DNSFormat.labelKindMask:
                guard index + 1 < bytes.count else { throw .truncated }
                let target = Int((UInt16(length) << 8 | UInt16(bytes[index + 1])) & DNSFormat.pointerOffsetMask)
                guard target < partStart else { throw .forwardPointer }
                pointers += 1
                guard pointers <= DNSFormat.maximumLabelCount else { throw .tooManyPointers }
                afterName = afterName ?? index + 2
                (index, partStart) = (target, target)
            default:
                throw .reservedLabelKind
            }
        }
    }

    private mutating func readClass() throws(DNSMessageError) -> (RecordClass, topBit: Bool) {
        let value = try readUInt16()
        return (RecordClass(rawValue: value & ~DNSFormat.classTopBit), value & DNSFormat.classTopBit != 0)
    }

    private mutating func readUInt16() throws(DNSMessageError) -> UInt16 {
        guard position + 2 <= bytes.count else { throw .truncated }
        defer { position += 2 }
        return UInt16(bytes[position]) << 8 | UInt16(bytes[position + 1])
    }

    /// Reads the bytes up to an end that the caller has checked.
    private mutating func readBytes(until end: Int) -> ArraySlice<UInt8> {
        defer { position = end }
        return bytes[position..<end]
    }
}
