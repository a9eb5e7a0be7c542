/// A host name of this host, with its addresses. Services refer to it.
struct HostRegistration {
    /// The properties that services must have in common to share a host.
    struct Key: Hashable {
        /// The requested label; `nil` for the derived one.
        let label: String?
        /// The requested addresses; `nil` for those of each link.
        let addresses: [IPAddress]?
    }

    /// The addresses on every link; `nil` for those of each link.
    let addresses: [IPAddress]?
    /// The label, with a number after conflicts.
    var label: NumberedName
    /// The full name.
    var name: DomainName
    /// The claims to the name.
    var claims: LinkClaims
    /// The number of services that refer to the host.
    var users = 1

    /// Returns the address records on a link.
    func records(on link: LinkDescription) -> [ResourceRecord] {
        (addresses ?? link.addresses).map { address in
            ResourceRecord(name: name, isUnique: true, ttl: RecordTTL.host, data: .address(address))
        }
    }
}

extension HostRegistration {
    /// Changes to the next numbered name.
    mutating func useNextName() throws(DNSSDError) {
        label = label.next
        name = try .label(label.text, under: WellKnownName.local, called: "host name")
    }
}
