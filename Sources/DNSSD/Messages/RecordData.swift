/// What a record says.
enum RecordData: Hashable, Sendable {
    /// An IPv4 address.
    case a(IPAddress)
    /// An IPv6 address.
    case aaaa(IPAddress)
    /// Another name.
    case ptr(DomainName)
    /// The host and port of a service. Priority and weight are kept only to compare records.
    case srv(priority: UInt16, weight: UInt16, port: UInt16, host: DomainName)
    /// The strings of a description, each after its length byte, as on the wire.
    case txt([UInt8])
    /// The types that a name has; types above 255 are not kept.
    case nsec(next: DomainName, types: [RecordType])
    /// A record of a type that is only passed on.
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

    /// The record that gives this address.
    static func address(_ address: IPAddress) -> RecordData {
        address.isIPv4 ? .a(address) : .aaaa(address)
    }

    /// The bytes on the wire without compression, by which simultaneous probes are compared (RFC 6762 section 8.2).
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

    /// How many bytes ``canonicalBytes`` has, or somewhat fewer.
    var size: Int {
        switch self {
        case .a(let address), .aaaa(let address): address.isIPv4 ? 4 : 16
        case .ptr(let name), .srv(_, _, _, let name), .nsec(let name, _): name.wire.count
        case .txt(let bytes), .opaque(_, let bytes): bytes.count
        }
    }

    /// The NSEC bitmap of the types below 256, with its block number and size (RFC 4034 section 4.1.2).
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
