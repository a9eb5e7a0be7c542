import DNSSD
import Foundation

/// A command from a test, one JSON object per line.
struct Command: Decodable, Sendable {
    var `do`: String
    /// The test's name for an advertisement.
    var id: String?
    var name: String?
    /// A service type, or a subtype such as `_colour._sub._hap._tcp`.
    var type: String?
    var port: UInt16?
    var txt: [String: String]?
    var subtypes: [String]?
    /// The time limit for resolving.
    var seconds: Double?

    var serviceType: ServiceType {
        get throws(DNSSDError) { try ServiceType(typeParts.last ?? "") }
    }

    /// The part before the type, if it is a subtype.
    var subtype: String? {
        typeParts.count == 2 ? typeParts[0] : nil
    }

    private var typeParts: [String] {
        (type ?? "").components(separatedBy: "._sub.")
    }

    /// The entries, sorted by key because JSON doesn't preserve their order.
    var record: TXTRecord {
        let sorted = (txt ?? [:]).sorted { $0.key < $1.key }
        return TXTRecord(entries: sorted.map { .init(key: $0.key, value: Array($0.value.utf8)) })
    }
}
