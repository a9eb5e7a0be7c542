import Glibc
import HTTPTypes
import NIOCore
import WebServer

/// Decides whether a request is for this hub and from its own page.
///
/// Any web page can make a browser send requests to the hub, also under a name that its owner points at the hub. The
/// host and the origin reveal these requests.
struct RequestOrigin: Sendable {
    /// The names under which the hub is reached, in lowercase, besides its addresses.
    private let names: @Sendable () -> Set<String>
    /// `http` or `https`.
    private let scheme: String

    /// - Parameter names: A closure that returns names in addition to the machine's own, in lowercase. A name that begins
    ///   with `*.` stands for all names with another first label.
    init(scheme: String, names: @escaping @Sendable () -> [String] = { [] }) {
        self.scheme = scheme
        let own = Self.machineNames
        self.names = { Set(own + names()) }
    }

    /// The names under which this machine reaches itself and others of its network reach it, in lowercase.
    static var machineNames: [String] {
        let machine = machineName.lowercased()
        return ["localhost", machine, "\(machine).local"]
    }

    /// The machine's name, without a domain.
    static var machineName: String {
        var buffer = [CChar](repeating: 0, count: 256)
        guard gethostname(&buffer, buffer.count - 1) == 0 else { return "localhost" }
        let bytes = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return String(String(decoding: bytes, as: UTF8.self).prefix { $0 != "." })
    }

    /// Returns the response to a request that isn't for this hub or not from its page; `nil` if it is.
    ///
    /// - Parameter local: The address that the client connected to.
    func refusal(of request: HTTPRequest, at local: SocketAddress?) -> HTTPAnswer? {
        // A second field stays among the others.
        guard let authority = request.authority, !authority.isEmpty, request.headerFields[.otherHost] == nil else {
            return HTTPAnswer(.badRequest).closing
        }
        guard isOwn(authority, at: local) else { return HTTPAnswer(.misdirectedRequest).closing }
        if let origin = request.headerFields[.origin], origin.lowercased() != "\(scheme)://\(authority)".lowercased() {
            return HTTPAnswer(.forbidden).closing
        }
        if let site = request.headerFields[.secFetchSite], site != "same-origin", site != "none",
            request.method != .get
        {
            return HTTPAnswer(.forbidden).closing
        }
        return nil
    }

    private func isOwn(_ authority: String, at local: SocketAddress?) -> Bool {
        guard let local, let (host, port) = Self.parts(authority, scheme) else { return false }
        guard port == local.port else { return false }
        let names = names()
        let domain = host.firstIndex(of: ".").map { "*\(host[$0...])" }
        if names.contains(host) || domain.map(names.contains) == true { return true }
        guard let address = local.ipAddress else { return false }
        // A socket for IPv6 reports IPv4 addresses in their mapped form.
        let own = address.hasPrefix("::ffff:") ? String(address.dropFirst(7)) : address
        return host == own || host == address
    }

    /// Returns the host, in lowercase and without brackets, and the port.
    private static func parts(_ authority: String, _ scheme: String) -> (host: String, port: Int)? {
        let standard = scheme == "https" ? 443 : 80
        let text = authority.lowercased()
        let (host, rest): (Substring, Substring)
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else { return nil }
            host = text[text.index(after: text.startIndex)..<end]
            rest = text[text.index(after: end)...]
        } else {
            let end = text.firstIndex(of: ":") ?? text.endIndex
            host = text[..<end]
            rest = text[end...]
        }
        if rest.isEmpty { return (String(host), standard) }
        guard rest.hasPrefix(":"), let port = UInt16(rest.dropFirst()) else { return nil }
        return (String(host), Int(port))
    }
}

extension HTTPField.Name {
    /// Returns the name of a header field.
    static func known(_ name: String) -> Self {
        guard let name = Self(name) else { preconditionFailure("\(name) isn't the name of a header field") }
        return name
    }

    /// A further `Host`; the first is the request's authority.
    static let otherHost = known("Host")
    static let secFetchSite = known("Sec-Fetch-Site")
    static let hearthStream = known("Hearth-Stream")
    static let hearthKey = known("Hearth-Key")
    static let lastEventID = known("Last-Event-ID")
}
