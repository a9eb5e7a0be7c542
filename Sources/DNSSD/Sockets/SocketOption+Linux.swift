import Glibc

/// System calls that prepare a socket.
enum SocketOption {
    /// Sets an option to a value of the system's type.
    ///
    /// - Throws: ``DNSSDError`` with the code `socketRefused`.
    static func set(
        _ descriptor: CInt,
        _ level: CInt,
        _ option: CInt,
        _ value: some Any,
        on interface: String
    ) throws(DNSSDError) {
        guard canSet(descriptor, level, option, value) else { throw refusal("option \(option)", on: interface) }
    }

    /// Sets an option. Returns whether the system allowed it.
    static func canSet(_ descriptor: CInt, _ level: CInt, _ option: CInt, _ value: some Any) -> Bool {
        withUnsafeBytes(of: value) {
            setsockopt(descriptor, level, option, $0.baseAddress, socklen_t($0.count))
        } == 0
    }

    /// Binds a socket to an interface, which older kernels allow only some users. Returns whether the system allowed
    /// it.
    static func canBind(_ descriptor: CInt, toDevice name: String) -> Bool {
        name.withCString { setsockopt(descriptor, SOL_SOCKET, SO_BINDTODEVICE, $0, socklen_t(strlen($0) + 1)) } == 0
    }

    /// Binds a socket to an address of the system's type.
    ///
    /// - Throws: ``DNSSDError`` with the code `portRefused`.
    static func bind(_ descriptor: CInt, to address: some Any, on interface: String) throws(DNSSDError) {
        guard !canBind(descriptor, to: address) else { return }
        let cause = String(cString: strerror(errno))
        throw DNSSDError(
            .portRefused,
            reason:
                "can't bind UDP port \(MulticastEndpoint.port) on \(interface): \(cause). Another program may use the port "
                + "without sharing it; see ss -ulnp"
        )
    }

    /// Binds a socket. Returns whether the system allowed it.
    static func canBind(_ descriptor: CInt, to address: some Any) -> Bool {
        withUnsafeBytes(of: address) { bytes in
            Glibc.bind(
                descriptor,
                bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self),
                socklen_t(bytes.count)
            )
        } == 0
    }

    /// Returns the error for the last system call that failed.
    static func refusal(_ what: String, on interface: String) -> DNSSDError {
        let cause = String(cString: strerror(errno))
        return DNSSDError(.socketRefused, reason: "the system refused \(what) on \(interface): \(cause)")
    }
}
