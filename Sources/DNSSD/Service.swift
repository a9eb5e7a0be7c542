/// A service on the network, with everything that is needed to connect to it.
///
/// The information is only a hint, because any host on the link can send it. Don't forget or trust a service that is
/// known by other means because of it.
public struct Service: Hashable, Sendable {
    /// The identity of the service.
    public let instance: ServiceInstance
    /// The name of the service's host, such as `lamp.local`.
    public let hostName: String
    /// The port on which the service listens.
    public let port: UInt16
    /// All known addresses of the host, with the interface on which each was received. Never empty. Sorted: IPv4, then
    /// global IPv6, then link-local IPv6.
    public let addresses: [ServiceAddress]
    /// The service's TXT record.
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
