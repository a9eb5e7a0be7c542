import NIOCore

/// Where metrics are served.
package struct MetricsAddress: Hashable, Sendable, CustomStringConvertible {
    /// An IP address.
    package let host: String
    /// The port; 0 takes a free one.
    package var port: Int

    private static let loopback = "127.0.0.1"

    /// Reads `HOST:PORT`, where the host is an IP address, in brackets if it is one of version 6, or `localhost`. A port
    /// alone is one of 127.0.0.1.
    ///
    /// - Returns: Nil for anything else.
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

    /// As it is written.
    package var description: String {
        host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
}
