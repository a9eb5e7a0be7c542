import NIOCore

/// An address at which HTTP is served.
package struct HTTPAddress: Hashable, Sendable, CustomStringConvertible {
    /// The IP address.
    package let host: String
    /// The port; 0 for any free port.
    package var port: Int

    private static let loopback = "127.0.0.1"

    /// Parses `HOST:PORT`. The host is an IPv4 address, an IPv6 address in brackets, or `localhost`. Without a host, it is
    /// 127.0.0.1.
    ///
    /// - Returns: `nil` if the text is invalid.
    package init?(_ text: String) {
        let separator = text.lastIndex(of: ":")
        var host = separator.map { String(text[..<$0]) } ?? Self.loopback
        let port = separator.map { text[text.index(after: $0)...] } ?? text[...]
        guard let number = UInt16(port), port.allSatisfy(\.isASCII), !port.hasPrefix("+") else { return nil }
        if host == "localhost" { host = Self.loopback }
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = String(host.dropFirst().dropLast())
            guard host.contains(":") else { return nil }
        } else if host.contains(":") {
            return nil
        }
        guard (try? SocketAddress(ipAddress: host, port: 0)) != nil else { return nil }
        self.host = host
        self.port = Int(number)
    }

    /// Whether only this machine can connect.
    package var isLoopback: Bool {
        host.hasPrefix("127.") || host == "::1"
    }

    /// The address as `HOST:PORT`, with brackets around an IPv6 address.
    package var description: String {
        host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
}
