import NetworkLab
import PeerProcess
import Synchronization

/// Avahi's daemon and command-line tools on a host of a lab.
///
/// This is a class because it owns the programs that keep its services advertised.
final class AvahiHost: Peer {
    let host: LabHost
    let daemon: PeerProcess
    private let publishers = Mutex<[String: PeerProcess]>([:])

    private init(_ host: LabHost, _ daemon: PeerProcess) {
        (self.host, self.daemon) = (host, daemon)
    }

    /// Starts the daemon and waits until it is ready.
    ///
    /// - Parameter configuration: Lines for its configuration file, as `section:key=value`.
    static func start(on host: LabHost, _ configuration: String...) async throws -> AvahiHost {
        let daemon = try host.startPeer("avahi_host.sh", configuration)
        _ = try await daemon.line("Avahi's start") { $0.contains("Server startup complete") }
        return AvahiHost(host, daemon)
    }

    /// Starts to establish a service.
    func startPublishing(
        _ name: String,
        _ type: String = Lamp.type,
        port: UInt16 = 4242,
        txt: [String: String] = Lamp.txt,
        subtypes: [String] = []
    ) throws -> PeerProcess {
        let options = subtypes.flatMap { ["--subtype", "\($0)._sub.\(type)"] }
        let entries = txt.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        // It reports on standard error. On a pipe, standard output is buffered without the first word.
        let words = ["stdbuf", "-oL", "avahi-publish", "-s"] + options + [name, type, "\(port)"] + entries
        return try host.start("/bin/sh", ["-c", #"exec "$@" 2>&1"#, "sh"] + words)
    }

    /// Returns the name with which a program of ``startPublishing(_:_:port:txt:subtypes:)`` established its service.
    func established(_ program: PeerProcess) async throws -> String {
        let beginning = "Established under name '"
        let line = try await program.line("Avahi's service") { $0.hasPrefix(beginning) }
        let name = String(line.dropFirst(beginning.count).dropLast())
        publishers.withLock { $0[name] = program }
        return name
    }

    func publish(_ name: String, _ type: String, port: UInt16, txt: [String: String]) async throws -> String {
        try await established(startPublishing(name, type, port: port, txt: txt))
    }

    /// Replaces a description. The command line can't change one, so the service is replaced by another with the same
    /// name.
    func update(_ name: String, txt: [String: String]) async throws {
        try await withdraw(name)
        _ = try await publish(name, txt: txt)
    }

    func withdraw(_ name: String) async throws {
        await publishers.withLock { $0.removeValue(forKey: name) }?.terminate()
    }

    func sees(
        _ name: String,
        _ type: String,
        where accepts: @escaping @Sendable (BrowseResult) -> Bool
    ) async throws -> BrowseResult {
        let deadline = ContinuousClock.now + Wait.limit
        while true {
            let seen = try await browse(type)
            if var result = seen[name] {
                if accepts(result) { return result }
                result.addresses.formUnion(try await addresses(of: result.host))
                if accepts(result) { return result }
            }
            guard .now < deadline else { throw PeerProcessError("Avahi did not find \(name) as expected, but \(seen)") }
        }
    }

    func misses(_ name: String, _ type: String) async throws {
        try await Wait.until("Avahi no longer sees \(name)") { try await !names(type).contains(name) }
    }

    /// Returns the names of the services of a type that Avahi has found.
    private func names(_ type: String) async throws -> [String] {
        // The name is the fourth field of lines such as `+;eth0;IPv4;Kitchen\032Lamp;_hap._tcp;local`.
        let lines = try await host.run("avahi-browse --parsable --terminate \(type) | sed -n '/^+/p' | cut -d ';' -f 4")
        return lines.split(separator: "\n").map { BrowseResult.unescaped($0) }
    }

    /// Returns the services of a type that Avahi can resolve, by name.
    private func browse(_ type: String) async throws -> [String: BrowseResult] {
        var seen: [String: BrowseResult] = [:]
        let lines = try await host.run("avahi-browse --resolve --parsable --terminate \(type)").split(separator: "\n")
        for (name, result) in lines.compactMap({ BrowseResult.read($0) }) {
            seen[name, default: result].addresses.formUnion(result.addresses)
        }
        return seen
    }

    /// Returns the addresses of a host. For a service, Avahi shows only one.
    private func addresses(of name: String) async throws -> [String] {
        // Avahi waits briefly for an address that doesn't exist.
        let script = "for v in 4 6; do timeout 2 avahi-resolve -$v -n \(name) & done; wait"
        return try await host.run(script).split(separator: "\n").compactMap { line in
            let words = line.split(separator: "\t").map(String.init)
            return words.count == 2 && words[0] == name ? words[1] : nil
        }
    }
}

extension BrowseResult {
    /// Parses a line such as `=;eth0;IPv4;Kitchen\032Lamp;_hap._tcp;local;lamp.local;10.77.0.1;80;"a=b" "c=d"`.
    fileprivate static func read(_ line: Substring) -> (name: String, result: BrowseResult)? {
        let fields = line.split(separator: ";", maxSplits: 9, omittingEmptySubsequences: false)
        guard fields.count == 10, fields[0] == "=", let port = UInt16(fields[8]) else { return nil }
        let entries = fields[9].matches(of: /"([^"=]+)=([^"]*)"/).map { (String($0.1), String($0.2)) }
        let result = BrowseResult(
            host: String(fields[6]),
            port: port,
            addresses: [String(fields[7])],
            txt: Dictionary(entries) { first, _ in first }
        )
        return (unescaped(fields[3]), result)
    }

    /// Decodes Avahi's escapes: a backslash and three decimal digits for a special byte.
    fileprivate static func unescaped(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\") else {
                bytes.append(byte)
                continue
            }
            if let value = UInt8(String(decoding: rest.prefix(3), as: UTF8.self)) {
                bytes.append(value)
                rest = rest.dropFirst(3)
            } else if let next = rest.popFirst() {
                bytes.append(next)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
