/// What a ``Node`` asks its owner to do.
enum Effect: Hashable {
    /// A packet is to be sent on a link.
    case send([UInt8], link: UInt32, to: Outgoing.Destination)
    /// A service's name is ours and announced: at first, and again after a conflict, perhaps under another name.
    case established(RegistrationID, name: String)
    /// What is known of a service changed; `nil` if it is no longer enough to connect to it. It counts as present among
    /// the services of its type if it is listed, and not only wanted by its name.
    case service(ServiceInstance, Service?, isListed: Bool)
}
