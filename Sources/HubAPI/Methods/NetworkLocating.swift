/// Parameters that can name the network address to connect to. An app on its own socket can't use them, because it
/// could probe the network with them.
package protocol NetworkLocating {
    /// Whether the parameters name a host or a port.
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
