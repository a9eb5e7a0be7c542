import Glibc
package import NIOCore

/// A host and a port as text: `192.168.1.7:51234`, `[fd00::7]:51234`.
package enum HostAddress {
    /// Returns the text of a host and a port.
    package static func text(host: String, port: Int) -> String {
        host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }

    /// Returns the host and the port of a text; `nil` if it has another form.
    package static func parts(_ text: String) -> (host: String, port: Int)? {
        guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]),
            (1...65_535).contains(port)
        else { return nil }
        var host = String(text[..<colon])
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        return host.isEmpty ? nil : (host, port)
    }

    /// Returns the address that a text names; a host name is looked up, which can take a while.
    package static func socketAddress(_ text: String) -> SocketAddress? {
        guard let (host, port) = parts(text) else { return nil }
        if let address = try? SocketAddress(ipAddress: host, port: port) { return address }
        return try? SocketAddress.makeAddressResolvingHost(host, port: port)
    }

    /// Returns the text of an IP address in network byte order.
    package static func text(ip: [UInt8], port: Int) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let family = ip.count == 4 ? AF_INET : AF_INET6
        guard ip.count == 4 || ip.count == 16,
            inet_ntop(family, ip, &buffer, socklen_t(buffer.count)) != nil
        else { return nil }
        let end = buffer.firstIndex(of: 0) ?? buffer.endIndex
        return text(host: String(decoding: buffer[..<end].map { UInt8(bitPattern: $0) }, as: UTF8.self), port: port)
    }
}
