/// What is known of a service on one link, once it is enough to connect to it.
struct ResolvedService: Hashable {
    let host: DomainName
    let port: UInt16
    /// IPv4 first, then IPv6 with a global scope, then IPv6 of the link. Never empty.
    let addresses: [IPAddress]
    /// The strings of the description as the message held them.
    let txt: [UInt8]
}
