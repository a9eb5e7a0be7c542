/// A service that was found on the network, with everything needed to connect to it.
///
/// What multicast DNS says is a hint: anyone on the link can say it. A service that is known by other means must not be
/// forgotten or trusted because of it.
public struct Service: Hashable, Sendable {
    /// Which service it is.
    public let instance: ServiceInstance
    /// The host that offers the service, such as `lamp.local`.
    public let hostName: String
    /// The port on which the service listens.
    public let port: UInt16
    /// Every known address of the host, with the interface on which it was heard. Never empty. IPv4 comes first, then
    /// IPv6 with a global scope, then IPv6 of the link.
    public let addresses: [ServiceAddress]
    /// The service's own description of itself.
    public let txt: TXTRecord

    /// Creates a service.
    public init(
        instance: ServiceInstance,
        hostName: String,
        port: UInt16,
        addresses: [ServiceAddress],
        txt: TXTRecord
    ) {
        self.instance = instance
        self.hostName = hostName
        self.port = port
        self.addresses = addresses
        self.txt = txt
    }
}
