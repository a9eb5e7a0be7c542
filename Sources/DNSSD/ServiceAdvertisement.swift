/// A service to make known on the network.
public struct ServiceAdvertisement: Hashable, Sendable {
    /// The name that people see: 1 to 63 bytes of UTF-8 without control characters, advertised in composed form. If another
    /// host has it already, a number is appended: `Lamp (2)`.
    public var instanceName: String
    /// The type of the service.
    public var type: ServiceType
    /// The port on which the service listens.
    public var port: UInt16
    /// The service's description of itself: at most 1,300 bytes in all, at most 255 an entry.
    public var txt: TXTRecord
    /// Subtypes under which the service can also be found, such as `_printer`.
    public var subtypes: [String]
    /// The name of the host, with or without `.local`; `nil` derives one from the machine's name that no other program
    /// on this machine uses.
    public var hostName: String?
    /// The addresses to give; `nil` gives on each interface the addresses of that interface.
    public var addresses: [IPAddress]?

    /// Creates the description of a service. Nothing is checked before ``MulticastDNS/advertise(_:)``.
    public init(
        instanceName: String,
        type: ServiceType,
        port: UInt16,
        txt: TXTRecord = TXTRecord(),
        subtypes: [String] = [],
        hostName: String? = nil,
        addresses: [IPAddress]? = nil
    ) {
        self.instanceName = instanceName
        self.type = type
        self.port = port
        self.txt = txt
        self.subtypes = subtypes
        self.hostName = hostName
        self.addresses = addresses
    }
}
