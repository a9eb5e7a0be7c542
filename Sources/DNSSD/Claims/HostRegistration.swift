/// A host name of ours, with the addresses it stands for. Services refer to it.
struct HostRegistration {
    /// What makes two services share a host: the same wishes.
    struct Key: Hashable {
        /// The label asked for; `nil` for the derived one.
        let label: String?
        /// The addresses asked for; `nil` for those of each link.
        let addresses: [IPAddress]?
    }

    /// The addresses on every link; `nil` for those of each link.
    let addresses: [IPAddress]?
    /// The label, numbered after conflicts.
    var label: NumberedName
    /// The whole name.
    var name: DomainName
    /// The ways to the name.
    var claims: LinkClaims
    /// How many services refer to the host.
    var users = 1

    /// The address records on a link.
    func records(on link: LinkDescription) -> [ResourceRecord] {
        (addresses ?? link.addresses).map { address in
            ResourceRecord(name: name, isUnique: true, ttl: RecordTTL.host, data: .address(address))
        }
    }
}

extension HostRegistration {
    /// Goes on to the next numbered name.
    mutating func takeNextName() throws(DNSSDError) {
        label = label.next
        name = try .label(label.text, under: WellKnownName.local, called: "host name")
    }
}
