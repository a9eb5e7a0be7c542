/// A service on one link that can be connected to.
struct ResolvedService: Hashable {
    let host: DomainName
    let port: UInt16
    /// The addresses: IPv4, then global IPv6, then link-local IPv6. Never empty.
    let addresses: [IPAddress]
    /// The strings of the TXT record as they are encoded in a message.
    let txt: [UInt8]
}
