import Glibc

/// The system's calls that prepare a socket.
enum SocketOption {
    /// Sets an option to a value of the system's own type.
    ///
    /// - Throws: ``DNSSDError`` with the code `socketRefused`.
    static func set(
        _ descriptor: CInt,
        _ level: CInt,
        _ option: CInt,
        _ value: some Any,
        on place: String
    ) throws(DNSSDError) {
        guard canSet(descriptor, level, option, value) else { throw refusal("option \(option)", on: place) }
    }

    /// Sets an option; says whether the system allowed it.
    static func canSet(_ descriptor: CInt, _ level: CInt, _ option: CInt, _ value: some Any) -> Bool {
        withUnsafeBytes(of: value) {
            setsockopt(descriptor, level, option, $0.baseAddress, socklen_t($0.count))
        } == 0
    }

    /// Binds a socket to an interface, which older kernels allow to some users only; says whether the system allowed it.
    static func canBind(_ descriptor: CInt, toDevice name: String) -> Bool {
        name.withCString { setsockopt(descriptor, SOL_SOCKET, SO_BINDTODEVICE, $0, socklen_t(strlen($0) + 1)) } == 0
    }

    /// Binds a socket to an address of the system's own type.
    ///
    /// - Throws: ``DNSSDError`` with the code `portRefused`.
    static func bind(_ descriptor: CInt, to address: some Any, on place: String) throws(DNSSDError) {
        guard !canBind(descriptor, to: address) else { return }
        let cause = String(cString: strerror(errno))
        throw DNSSDError(
            .portRefused,
            reason:
                "UDP port \(MulticastEndpoint.port) on \(place) is refused: \(cause). A program that does not share the port "
                + "may hold it: see ss -ulnp"
        )
    }

    /// Binds a socket; says whether the system allowed it.
    static func canBind(_ descriptor: CInt, to address: some Any) -> Bool {
        withUnsafeBytes(of: address) { bytes in
            Glibc.bind(
                descriptor,
                bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self),
                socklen_t(bytes.count)
            )
        } == 0
    }

    /// The error that says what the system refused last.
    static func refusal(_ what: String, on place: String) -> DNSSDError {
        let cause = String(cString: strerror(errno))
        return DNSSDError(.socketRefused, reason: "the system refuses \(what) on \(place): \(cause)")
    }
}
