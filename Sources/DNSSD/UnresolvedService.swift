/// A service that is listed on the network, but of which not enough is told to connect to it.
package struct UnresolvedService: Hashable, Sendable {
    /// What is not told.
    package enum Gap: Hashable, Sendable {
        /// No SRV record tells the host and the port.
        case host
        /// Neither an A nor an AAAA record tells an address of that host.
        case address(ofHost: String)
        /// No TXT record tells what it is.
        case description
    }

    /// Which service it is.
    package let instance: ServiceInstance
    /// What is missing first.
    package let gap: Gap
    /// The service's own description of itself, if it is told.
    package let txt: TXTRecord?

    /// Creates an unresolved service.
    package init(instance: ServiceInstance, gap: Gap, txt: TXTRecord?) {
        self.instance = instance
        self.gap = gap
        self.txt = txt
    }
}
