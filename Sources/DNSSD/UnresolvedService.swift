/// A service that is listed on the network, but lacks records that are needed to connect to it.
package struct UnresolvedService: Hashable, Sendable {
    /// The missing part of a service.
    package enum MissingPart: Hashable, Sendable {
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
    package let missingPart: MissingPart
    /// The service's TXT record, if it is known.
    package let txt: TXTRecord?

    /// Creates an unresolved service.
    package init(instance: ServiceInstance, missingPart: MissingPart, txt: TXTRecord?) {
        self.instance = instance
        self.missingPart = missingPart
        self.txt = txt
    }
}
