/// An effect that a ``Node`` requests from its owner.
enum Effect: Hashable {
    /// Send a packet on a link.
    case send([UInt8], link: UInt32, to: Outgoing.Destination)
    /// A service's name is established and announced: initially, or after a conflict, possibly with another name.
    case established(RegistrationID, name: String)
    /// A service changed; `nil` if it can no longer be connected to. It counts as a service of its type only if it is
    /// listed, and not if it is only followed by name.
    case service(ServiceInstance, Service?, isListed: Bool)
}
