/// The data of a record.
enum RecordData: Hashable, Sendable {
    /// An IPv4 address.
    case a(IPAddress)
    /// An IPv6 address.
    case aaaa(IPAddress)
    /// Another name.
    case ptr(DomainName)
    /// The host and port of a service. Priority and weight are only stored for comparing records.
    case srv(priority: UInt16, weight: UInt16, port: UInt16, host: DomainName)
    /// The strings of a TXT record, each with its length byte, as encoded.
    case txt([UInt8])
    /// The types of a name's records; types above 255 are ignored.
    case nsec(next: DomainName, types: [RecordType])
    /// The data of a record of any other type.
    case opaque(RecordType, [UInt8])

    /// The type of the record.
    var type: RecordType {
        switch self {
        case .a: .a
        case .aaaa: .aaaa
        case .ptr: .ptr
        case .srv: .srv
        case .txt: .txt
        case .nsec: .nsec
        case .opaque(let type, _): type
        }
    }

    /// Returns the data of an address record.
    static func address(_ address: IPAddress) -> RecordData {
        address.isIPv4 ? .a(address) : .aaaa(address)
    }

    /// The encoded bytes without compression, which are used to compare simultaneous probes (RFC 6762 section 8.2).
    var canonicalBytes: [UInt8] {
        switch self {
        case .a(let address), .aaaa(let address): address.bytes
        case .ptr(let name): name.wire + [0]
        case .srv(let priority, let weight, let port, let host):
            priority.bigEndianBytes + weight.bigEndianBytes + port.bigEndianBytes + host.wire + [0]
        case .txt(let bytes), .opaque(_, let bytes): bytes
        case .nsec(let next, let types): next.wire + [0] + Self.bitmap(of: types)
        }
    }

    /// The number of bytes of ``canonicalBytes``, or somewhat less.
    var size: Int {
        switch self {
        case .a(let address), .aaaa(let address): address.isIPv4 ? 4 : 16
        case .ptr(let name), .srv(_, _, _, let name), .nsec(let name, _): name.wire.count
        case .txt(let bytes), .opaque(_, let bytes): bytes.count
        }
    }

    /// Returns the NSEC bitmap of the types below 256, with its block number and size (RFC 4034 section 4.1.2).
    static func bitmap(of types: [RecordType]) -> [UInt8] {
        var bits: [UInt8] = []
        for type in types where type.rawValue < DNSFormat.nsecBlockTypes {
            let (index, bit) = Int(type.rawValue).quotientAndRemainder(dividingBy: 8)
            bits.append(contentsOf: repeatElement(0, count: max(0, index + 1 - bits.count)))
            bits[index] |= 0x80 >> UInt8(bit)
        }
        return bits.isEmpty ? [] : [0, UInt8(bits.count)] + bits
    }
}
