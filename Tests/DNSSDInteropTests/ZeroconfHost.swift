import Foundation
import NetworkLab
import PeerProcess

/// python-zeroconf on a host of a lab.
struct ZeroconfHost: Peer {
    fileprivate struct Event: Decodable, Sendable {
        var event: String
        var name: String?
        var port: UInt16?
        var server: String?
        var addresses: [String]?
        var txt: [String: String?]?
    }

    let process: PeerProcess
    private let addresses: [String]

    /// Starts the program and waits until its sockets are open.
    static func start(on host: LabHost) async throws -> ZeroconfHost {
        let peer = ZeroconfHost(
            process: try host.startPeer("zeroconf_host.py"),
            addresses: try await host.addresses()
        )
        _ = try await peer.event("ready")
        return peer
    }

    func publish(_ name: String, _ type: String, port: UInt16, txt: [String: String]) async throws -> String {
        try startPublishing(name, type, port: port, txt: txt)
        return try await established()
    }

    /// Starts to establish a service.
    func startPublishing(
        _ name: String,
        _ type: String = Lamp.type,
        port: UInt16 = 4242,
        txt: [String: String] = Lamp.txt
    ) throws {
        try send(
            ["do": "register", "name": name, "type": type, "port": Int(port), "txt": txt, "addresses": addresses]
        )
    }

    /// Returns the name that a service got.
    func established() async throws -> String {
        try await event("registered").name ?? ""
    }

    func update(_ name: String, txt: [String: String]) async throws {
        try send(["do": "update", "name": name, "txt": txt])
        _ = try await event("updated")
    }

    func withdraw(_ name: String) async throws {
        try send(["do": "unregister", "name": name])
        _ = try await event("unregistered")
    }

    func sees(
        _ name: String,
        _ type: String,
        where accepts: @escaping @Sendable (BrowseResult) -> Bool
    ) async throws -> BrowseResult {
        try send(["do": "browse", "type": type])
        let isWanted: @Sendable (Event) -> Bool = { event in
            ["add", "update"].contains(event.event) && event.name == name && accepts(BrowseResult(event))
        }
        return BrowseResult(try await process.json(Event.self, "\(name) as wanted", where: isWanted))
    }

    func misses(_ name: String, _ type: String) async throws {
        _ = try await event("remove") { $0.name == name }
    }

    private func send(_ command: [String: Any]) throws {
        try process.send(String(decoding: JSONSerialization.data(withJSONObject: command), as: UTF8.self))
    }

    private func event(
        _ kind: String,
        where accepts: @escaping @Sendable (Event) -> Bool = { _ in true }
    ) async throws -> Event {
        try await process.json(Event.self, kind) { $0.event == kind && accepts($0) }
    }
}

extension BrowseResult {
    fileprivate init(_ event: ZeroconfHost.Event) {
        self.init(
            host: event.server ?? "",
            port: event.port ?? 0,
            addresses: Set(event.addresses ?? []),
            txt: (event.txt ?? [:]).compactMapValues { $0 }
        )
    }
}
