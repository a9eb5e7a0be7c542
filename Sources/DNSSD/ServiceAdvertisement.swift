/// A service to advertise.
public struct ServiceAdvertisement: Hashable, Sendable {
    /// The displayed name: 1 to 63 bytes of UTF-8 without control characters, advertised in composed form. If another
    /// host has the name, a number is appended: `Lamp (2)`.
    public var instanceName: String
    /// The type of the service.
    public var type: ServiceType
    /// The port on which the service listens.
    public var port: UInt16
    /// The TXT record: at most 1,300 bytes in total and 255 per entry.
    public var txt: TXTRecord
    /// The subtypes under which the service can also be found, such as `_printer`.
    public var subtypes: [String]
    /// The host name, with or without `.local`. `nil` for a name that is derived from the machine's name and unique to
    /// this program.
    public var hostName: String?
    /// The addresses to advertise; `nil` for the addresses of each interface.
    public var addresses: [IPAddress]?

    /// Creates the description of a service. It is checked by ``MulticastDNS/advertise(_:)``.
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
