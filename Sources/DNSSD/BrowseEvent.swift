/// A change in the set of services of one type that are present on the network.
public enum BrowseEvent: Hashable, Sendable {
    /// A service appeared: its host, port, description and at least one address are known.
    case found(Service)
    /// A service that was found before has a new host, port, description or set of addresses.
    case changed(Service)
    /// A service that was found before said goodbye, or was not heard of within the lifetime of its records.
    case gone(ServiceInstance)
}
