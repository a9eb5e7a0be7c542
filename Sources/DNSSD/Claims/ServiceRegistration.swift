/// A service of ours.
struct ServiceRegistration {
    let type: ServiceType
    let port: UInt16
    let subtypes: [DomainName]
    let host: HostRegistration.Key
    /// The strings of the description as a message holds them.
    var txt: [UInt8]
    /// The instance's label, numbered after conflicts.
    var label: NumberedName
    /// Whether the label is another than was asked for.
    private(set) var isSubstitute = false
    /// The whole name of the instance.
    var name: DomainName
    /// The ways to the name.
    var claims: LinkClaims

    /// Checks what an application asks for.
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
            throw DNSSDError(.invalidName, reason: "a service needs an address; give none to use the interface's")
        }
        host = HostRegistration.Key(label: hostLabel, addresses: service.addresses)
    }

    /// The records that only this service has.
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

    /// The record that describes the service.
    var description: ResourceRecord {
        ResourceRecord(name: name, isUnique: true, ttl: RecordTTL.other, data: .txt(txt))
    }

    /// The records that lead to this service among others of its type, and of its subtypes.
    var pointers: [ResourceRecord] {
        ([type.domainName] + subtypes).map { ResourceRecord(name: $0, ttl: RecordTTL.other, data: .ptr(name)) }
    }

    /// The record that lists the type among the types on the link.
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
    /// Goes on to the next numbered name.
    mutating func takeNextName() throws(DNSSDError) {
        label = label.next
        isSubstitute = true
        name = try .label(label.text, under: type.domainName, called: "instance name")
    }
}
