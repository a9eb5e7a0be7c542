/// A service that is listed on the network, but lacks records that are needed to connect to it.
package struct UnresolvedService: Hashable, Sendable {
    /// The missing part of a service.
    package enum Gap: Hashable, Sendable {
        /// The SRV record with the host and port.
        case host
        /// The A or AAAA record with an address of the host.
        case address(ofHost: String)
        /// The TXT record.
        case description
    }

    /// The identity of the service.
    package let instance: ServiceInstance
    /// The first missing part.
    package let gap: Gap
    /// The service's TXT record, if it is known.
    package let txt: TXTRecord?

    /// Creates an unresolved service.
    package init(instance: ServiceInstance, gap: Gap, txt: TXTRecord?) {
        self.instance = instance
        self.gap = gap
        self.txt = txt
    }
}
