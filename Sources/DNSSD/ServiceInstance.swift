/// The identity of a service on the link: its name and its type. The domain is always `local`.
///
/// Two instances are equal if their names differ only in the case of ASCII letters, which DNS ignores.
public struct ServiceInstance: Hashable, Sendable, CustomStringConvertible {
    /// The displayed name, such as `Kitchen Lamp`. At most 63 bytes of UTF-8.
    public let name: String
    /// The type of the service.
    public let type: ServiceType

    /// Creates an identity from a name and a type.
    public init(name: String, type: ServiceType) {
        self.name = name
        self.type = type
    }

    /// Returns whether two instances are the same service.
    public static func == (left: ServiceInstance, right: ServiceInstance) -> Bool {
        left.type == right.type && left.name.utf8.elementsEqual(right.name.utf8) { $0.foldedASCII == $1.foldedASCII }
    }

    /// Hashes the instance, ignoring the case of ASCII letters.
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
    /// Returns the reason why a name is invalid for an instance; `nil` if it is valid.
    package static func problem(withName name: String) -> String? {
        do {
            _ = try DomainName.label(name.netUnicode, under: .root, called: "instance name")
            return nil
        } catch {
            return error.reason
        }
    }

    /// Returns the beginning of a name, cut to the maximum length of an instance name.
    package static func shortened(name: String) -> String {
        var name = name
        while name.netUnicode.utf8.count > DNSFormat.maximumLabelSize { name.removeLast() }
        return name
    }

    /// Returns the name of the instance's SRV and TXT records.
    ///
    /// - Throws: ``DNSSDError`` with the code `invalidName` unless the name has 1 to 63 bytes and no control
    ///   characters.
    func domainName() throws(DNSSDError) -> DomainName {
        try DomainName.label(name, under: type.domainName, called: "instance name")
    }
}

extension DomainName {
    /// Creates a name from a label that a caller chose and a parent name.
    static func label(_ label: String, under parent: DomainName, called role: String) throws(DNSSDError) -> DomainName {
        guard !label.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
            throw DNSSDError(.invalidName, reason: "the \(role) \"\(label)\" contains a control character")
        }
        do {
            return try DomainName(label, under: parent)
        } catch {
            throw DNSSDError(
                .invalidName,
                reason:
                    "the \(role) \"\(label)\" has \(label.utf8.count) bytes; 1 to \(DNSFormat.maximumLabelSize) are allowed"
            )
        }
    }
}
