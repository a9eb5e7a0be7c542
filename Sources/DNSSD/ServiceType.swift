/// The type of a service, such as `_hap._tcp` (RFC 6763 section 7).
///
/// Types are equal if they differ only in the case of letters.
public struct ServiceType: Hashable, Sendable, CustomStringConvertible {
    /// The transport protocol of a type.
    public enum Transport: String, Hashable, Sendable {
        /// Any service over TCP.
        case tcp = "_tcp"
        /// Any service over another protocol.
        case udp = "_udp"
    }

    /// The application protocol without its underscore, such as `hap`, in lowercase.
    public let name: String
    /// The transport.
    public let transport: Transport

    /// Creates a type from text of the form `_name._tcp` or `_name._udp`; a suffix `.local` and a final dot are
    /// accepted.
    ///
    /// The name has 1 to 15 letters, digits and hyphens, at least one letter, and no leading, trailing or adjacent
    /// hyphens (RFC 6335 section 5.1). Longer names of up to 62 characters are accepted, because they are in use.
    ///
    /// - Throws: ``DNSSDError`` with the code `invalidServiceType`.
    public init(_ text: String) throws(DNSSDError) {
        let labels = text.split(separator: ".", omittingEmptySubsequences: false)
        let trimmed = labels.last?.isEmpty == true ? labels.dropLast() : labels[...]
        let core = trimmed.last?.lowercased() == "local" && trimmed.count == 3 ? trimmed.dropLast() : trimmed
        guard core.count == 2, let first = core.first, let last = core.last,
            let transport = Transport(rawValue: last.lowercased()), Self.isValid(first)
        else {
            throw DNSSDError(.invalidServiceType, reason: "\"\(text)\" is not a service type such as _hap._tcp")
        }
        name = first.dropFirst().lowercased()
        self.transport = transport
    }

    private init(known name: String, _ transport: Transport) {
        self.name = name
        self.transport = transport
    }

    /// HomeKit accessories over IP: `_hap._tcp`.
    public static let hap = ServiceType(known: "hap", .tcp)
    /// Accessories that are being configured for a Wi-Fi network: `_mfi-config._tcp`.
    package static let wirelessSetup = ServiceType(known: "mfi-config", .tcp)

    /// The type in DNS form, such as `_hap._tcp`.
    public var description: String { "_\(name).\(transport.rawValue)" }
}

extension ServiceType {
    /// The name of the PTR records that list the instances.
    var domainName: DomainName {
        let labels: [String] = ["_\(name)", transport.rawValue]
        // Both labels were checked by `isValid`, so their sizes are valid.
        return DomainName(wire: labels.flatMap { [UInt8($0.utf8.count)] + $0.utf8 } + WellKnownName.local.wire)
    }

    /// Returns whether a label is an underscore and a service name. The limit of 15 characters in RFC 6335 isn't
    /// enforced.
    private static func isValid(_ label: Substring) -> Bool {
        let name = label.utf8.dropFirst()
        let hyphen = UInt8(ascii: "-")
        let isLetter = { (byte: UInt8) in (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte.foldedASCII) }
        let isDigit = { (byte: UInt8) in (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
        return label.utf8.first == UInt8(ascii: "_") && label.utf8.count <= DNSFormat.maximumLabelSize
            && name.contains(where: isLetter) && name.allSatisfy { isLetter($0) || isDigit($0) || $0 == hyphen }
            && name.first != hyphen && name.last != hyphen
            && !zip(name, name.dropFirst()).contains { $0 == (hyphen, hyphen) }
    }
}
