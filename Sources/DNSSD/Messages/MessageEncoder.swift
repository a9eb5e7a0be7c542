/// An encoder of one packet with compressed names (RFC 1035 section 4.1.4) and a size limit.
struct MessageEncoder {
    /// The sections of a message, in order.
    enum Section: Int, Comparable {
        case question
        case answer
        case authority
        case additional

        static func < (left: Section, right: Section) -> Bool { left.rawValue < right.rawValue }
    }

    private var bytes: [UInt8]
    private var counts: [UInt16] = [0, 0, 0, 0]
    private var section = Section.question
    private var offsets: [ArraySlice<UInt8>: UInt16] = [:]
    private let isLegacy: Bool

    /// Creates an encoder.
    ///
    /// - Parameter isLegacy: Whether the receiver is a plain DNS querier, which must not get top bits of classes, long
    ///   lifetimes or compressed SRV hosts (RFC 6762 section 6.7).
    init(id: UInt16, flags: DNSMessage.Flags, isLegacy: Bool = false) {
        bytes = id.bigEndianBytes + flags.rawValue.bigEndianBytes + [UInt8](repeating: 0, count: 8)
        self.isLegacy = isLegacy
    }

    /// Whether only the header was written.
    var isEmpty: Bool { bytes.count == DNSFormat.headerSize }

    /// Appends a question unless the packet would exceed `limit` bytes. Returns whether it was appended.
    mutating func append(_ question: DNSQuestion, limit: Int) -> Bool {
        append(to: .question, limit: limit) { encoder in
            encoder.write(question.name)
            encoder.write(question.type.rawValue)
            encoder.write(question.recordClass.rawValue | (question.wantsUnicast ? DNSFormat.classTopBit : 0))
        }
    }

    /// Appends a record unless the packet would exceed `limit` bytes. Returns whether it was appended. Sections must be
    /// written in order.
    mutating func append(_ record: ResourceRecord, to section: Section, limit: Int) -> Bool {
        append(to: section, limit: limit) { encoder in
            encoder.write(record.name)
            encoder.write(record.type.rawValue)
            let topBit = record.isUnique && !encoder.isLegacy ? DNSFormat.classTopBit : 0
            encoder.write(record.recordClass.rawValue | topBit)
            let ttl = encoder.isLegacy ? min(record.ttl, DNSFormat.legacyMaximumTTL) : record.ttl
            encoder.bytes.append(contentsOf: ttl.bigEndianBytes)
            let sizeAt = encoder.bytes.count
            encoder.write(UInt16(0))
            encoder.write(record.data)
            let size = encoder.bytes.count - sizeAt - 2
            encoder.bytes.replaceSubrange(
                sizeAt..<sizeAt + 2,
                with: UInt16(truncatingIfNeeded: size).bigEndianBytes
            )
        }
    }

    /// Returns the packet.
    ///
    /// - Parameter isTruncated: Whether more known answers follow in another packet.
    func finish(isTruncated: Bool = false) -> [UInt8] {
        var packet = bytes
        if isTruncated {
            packet[2] |= UInt8(truncatingIfNeeded: DNSMessage.Flags.truncated.rawValue >> 8)
        }
        packet.replaceSubrange(4..<DNSFormat.headerSize, with: counts.flatMap(\.bigEndianBytes))
        return packet
    }

    private mutating func append(to section: Section, limit: Int, _ write: (inout MessageEncoder) -> Void) -> Bool {
        guard section >= self.section, counts[section.rawValue] < .max else { return false }
        let start = bytes.count
        write(&self)
        guard bytes.count <= limit else {
            bytes.removeSubrange(start...)
            offsets = offsets.filter { $0.value < start }
            return false
        }
        self.section = section
        counts[section.rawValue] += 1
        return true
    }

    private mutating func write(_ data: RecordData) {
        switch data {
        case .ptr(let name):
            write(name)
        case .srv(let priority, let weight, let port, let host):
            write(priority)
            write(weight)
            write(port)
            if isLegacy {
                bytes.append(contentsOf: host.wire + [0])
            } else {
                write(host)
            }
        case .nsec(let next, let types):
            write(next)
            bytes.append(contentsOf: RecordData.bitmap(of: types))
        case .a, .aaaa, .txt, .opaque:
            bytes.append(contentsOf: data.canonicalBytes)
        }
    }

    private mutating func write(_ value: UInt16) {
        bytes.append(UInt8(truncatingIfNeeded: value >> 8))
        bytes.append(UInt8(truncatingIfNeeded: value))
    }

    private mutating func write(_ name: DomainName) {
        var rest = name.wire[...]
        while let size = rest.first {
            if let offset = offsets[rest] {
                write(offset | UInt16(DNSFormat.labelKindMask) << 8)
                return
            }
            if bytes.count <= DNSFormat.pointerOffsetMask {
                offsets[rest] = UInt16(bytes.count)
            }
            let label = rest.prefix(1 + Int(size))
            bytes.append(contentsOf: label)
            rest = rest.dropFirst(label.count)
        }
        bytes.append(0)
    }
}
