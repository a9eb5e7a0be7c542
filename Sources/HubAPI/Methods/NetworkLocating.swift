/// Parameters by which the hub may be told where on the network to connect. An app at a socket of its own can't use them:
/// it would learn what is on the network and who answers.
package protocol NetworkLocating {
    /// Whether they name a host or a port.
    var namesHost: Bool { get }
}

extension AddAccessory: NetworkLocating {
    /// Whether `host` or `port` is given.
    package var namesHost: Bool { host != nil || port != nil }
}

extension ImportAccessory: NetworkLocating {
    /// Whether `hosts` or `port` is given.
    package var namesHost: Bool { !hosts.isEmpty || port != nil }
}
