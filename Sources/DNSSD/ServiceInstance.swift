/// The identity of a service on the link: the name a person gave it and its type. The domain is always `local`.
///
/// Two instances are equal if their names differ at most in the case of ASCII letters, as DNS compares names.
public struct ServiceInstance: Hashable, Sendable, CustomStringConvertible {
    /// The name that people see, such as `Kitchen Lamp`. At most 63 bytes of UTF-8.
    public let name: String
    /// The type of the service.
    public let type: ServiceType

    /// Creates an identity from a name and a type.
    public init(name: String, type: ServiceType) {
        self.name = name
        self.type = type
    }

    /// Whether two identities name the same service.
    public static func == (left: ServiceInstance, right: ServiceInstance) -> Bool {
        left.type == right.type && left.name.utf8.elementsEqual(right.name.utf8) { $0.foldedASCII == $1.foldedASCII }
    }

    /// Hashes the name without regard to the case of ASCII letters.
    public func hash(into hasher: inout Hasher) {
        for byte in name.utf8 {
            hasher.combine(byte.foldedASCII)
        }
        hasher.combine(type)
    }

    /// The name and the type, such as `Kitchen Lamp (_hap._tcp)`.
    public var description: String { "\(name) (\(type))" }
}

extension ServiceInstance {
    /// What makes a name impossible as an instance's, `nil` if nothing does.
    package static func problem(withName name: String) -> String? {
        do {
            _ = try DomainName.label(name.netUnicode, under: .root, called: "instance name")
            return nil
        } catch {
            return error.reason
        }
    }

    /// The characters with which a name begins, as many as an instance's name can have.
    package static func shortened(name: String) -> String {
        var name = name
        while name.netUnicode.utf8.count > DNSFormat.maximumLabelSize { name.removeLast() }
        return name
    }

    /// The name of the instance's SRV and TXT records.
    ///
    /// - Throws: ``DNSSDError`` with the code `invalidName` unless the name is 1 to 63 bytes without control characters.
    func domainName() throws(DNSSDError) -> DomainName {
        try DomainName.label(name, under: type.domainName, called: "instance name")
    }
}

extension DomainName {
    /// Puts a label that a caller chose before a name.
    static func label(_ label: String, under parent: DomainName, called role: String) throws(DNSSDError) -> DomainName {
        guard !label.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
            throw DNSSDError(.invalidName, reason: "the \(role) \"\(label)\" has a control character")
        }
        do {
            return try DomainName(label, under: parent)
        } catch {
            throw DNSSDError(
                .invalidName,
                reason:
                    "the \(role) \"\(label)\" has \(label.utf8.count) bytes; 1 to \(DNSFormat.maximumLabelSize) are possible"
            )
        }
    }
}
