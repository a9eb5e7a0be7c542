import DNSSD

/// What a test tells the program to do, one JSON object a line.
struct Command: Decodable, Sendable {
    var `do`: String
    /// The test's name for an advertisement.
    var id: String?
    var name: String?
    var type: String?
    var port: UInt16?
    var txt: [String: String]?
    var subtypes: [String]?
    /// How long to resolve.
    var seconds: Double?

    var serviceType: ServiceType {
        get throws(DNSSDError) { try ServiceType(type ?? "") }
    }

    /// The entries in the order of their keys, which JSON does not keep.
    var record: TXTRecord {
        let sorted = (txt ?? [:]).sorted { $0.key < $1.key }
        return TXTRecord(entries: sorted.map { .init(key: $0.key, value: Array($0.value.utf8)) })
    }
}
