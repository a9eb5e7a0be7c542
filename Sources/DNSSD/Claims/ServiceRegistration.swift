/// A service of this host.
struct ServiceRegistration {
    let type: ServiceType
    let port: UInt16
    let subtypes: [DomainName]
    let host: HostRegistration.Key
    /// The strings of the TXT record as they are encoded in a message.
    var txt: [UInt8]
    /// The instance's label, with a number after conflicts.
    var label: NumberedName
    /// Whether the label differs from the requested one.
    private(set) var isSubstitute = false
    /// The full name of the instance.
    var name: DomainName
    /// The claims to the name.
    var claims: LinkClaims

    /// Creates a registration from a checked advertisement.
    ///
    /// - Throws: ``DNSSDError`` with the code `invalidName` or `invalidTXT`.
    init(_ service: ServiceAdvertisement, claims: LinkClaims) throws(DNSSDError) {
        type = service.type
        port = service.port
        txt = try service.txt.wire()
        let instanceName = service.instanceName.netUnicode
        label = NumberedName(instanceName, style: .instance)
        name = try ServiceInstance(name: instanceName, type: type).domainName()
        self.claims = claims
        var subtypes: [DomainName] = []
        for subtype in service.subtypes {
            subtypes.append(try BrowseScope(type, subtype: subtype.netUnicode).name)
        }
        self.subtypes = subtypes
        let hostLabel = service.hostName.map { Self.hostLabel($0.netUnicode) }
        if let hostLabel {
            guard !hostLabel.contains(".") else {
                throw DNSSDError(
                    .invalidName,
                    reason: "the host name \"\(hostLabel)\" must be one label, with or without .local"
                )
            }
            _ = try DomainName.label(hostLabel, under: WellKnownName.local, called: "host name")
        }
        if service.addresses?.isEmpty == true {
            throw DNSSDError(.invalidName, reason: "the list of addresses is empty; use nil for those of the interface")
        }
        host = HostRegistration.Key(label: hostLabel, addresses: service.addresses)
    }

    /// Returns the records that only this service has.
    func uniqueRecords(host: DomainName) -> [ResourceRecord] {
        [
            ResourceRecord(
                name: name,
                isUnique: true,
                ttl: RecordTTL.host,
                data: .srv(priority: 0, weight: 0, port: port, host: host)
            ),
            description,
        ]
    }

    /// The TXT record of the service.
    var description: ResourceRecord {
        ResourceRecord(name: name, isUnique: true, ttl: RecordTTL.other, data: .txt(txt))
    }

    /// The PTR records that list this service under its type and subtypes.
    var pointers: [ResourceRecord] {
        ([type.domainName] + subtypes).map { ResourceRecord(name: $0, ttl: RecordTTL.other, data: .ptr(name)) }
    }

    /// The PTR record that lists the type among the types on the link.
    var typePointer: ResourceRecord {
        ResourceRecord(name: WellKnownName.typeEnumeration, ttl: RecordTTL.other, data: .ptr(type.domainName))
    }

    private static func hostLabel(_ text: String) -> String {
        var label = text[...]
        if label.hasSuffix(".") { label.removeLast() }
        let suffix = ".local"
        return String(label.lowercased().hasSuffix(suffix) ? label.dropLast(suffix.count) : label)
    }
}

extension ServiceRegistration {
    /// Changes to the next numbered name.
    mutating func useNextName() throws(DNSSDError) {
        label = label.next
        isSubstitute = true
        name = try .label(label.text, under: type.domainName, called: "instance name")
    }
}
