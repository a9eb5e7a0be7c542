/// A change in the services on the network.
public enum BrowseEvent: Hashable, Sendable {
    /// A service appeared: its host, port, description and at least one address are known.
    case found(Service)
    /// A known service has a new host, port, description or set of addresses.
    case changed(Service)
    /// A known service said goodbye, or its records expired.
    case gone(ServiceInstance)
}
