@testable import DNSSD

/// Names and records for several suites.
enum Samples {
    static let type = ServiceType.hap
    static let typeName = type.domainName

    static func name(_ labels: String...) throws -> DomainName {
        try DomainName(labels: labels.map(\.utf8))
    }

    static func lamp(_ name: String = "Lamp", port: UInt16 = 8080, txt: TXTRecord = ["c#": "1"]) -> ServiceAdvertisement
    {
        ServiceAdvertisement(instanceName: name, type: type, port: port, txt: txt)
    }

    static func seconds(_ seconds: Double) -> Instant {
        Instant(sinceStart: .milliseconds(Int64(seconds * 1000)))
    }

    /// Returns the bytes of a text of hexadecimal digits.
    static func bytes(_ hex: String) -> [UInt8] {
        let digits = hex.compactMap(\.hexDigitValue)
        return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}
