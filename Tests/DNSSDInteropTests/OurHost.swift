import Foundation
import NetworkLab
import PeerProcess

/// Hearth's multicast DNS as a program on a host of a lab.
struct OurHost: Peer {
    /// The program's output.
    struct Event: Decodable, Hashable, Sendable {
        var event: String
        var id: String?
        var name: String?
        var from: String?
        var type: String?
        var host: String?
        var port: UInt16?
        var addresses: [String]?
        var txt: [String: String]?
        var error: String?
        var reason: String?
    }

    private static let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        .appending(path: "dnssd-host")

    let process: PeerProcess

    /// Starts the program, on all interfaces by default, and waits until its sockets are open.
    static func start(on host: LabHost, _ interfaces: String...) async throws -> OurHost {
        let ours = OurHost(process: try host.start(program.path, interfaces))
        _ = try await ours.event("ready")
        return ours
    }

    /// Sends a command to the program.
    func send(_ command: String, _ arguments: [String: Any] = [:]) throws {
        let line = try JSONSerialization.data(withJSONObject: arguments.merging(["do": command]) { $1 })
        try process.send(String(decoding: line, as: UTF8.self))
    }

    /// Starts to establish a service. Its first name is its `id` in later commands.
    func startPublishing(
        _ name: String,
        _ type: String = Lamp.type,
        port: UInt16 = 4242,
        txt: [String: String] = Lamp.txt,
        subtypes: [String] = []
    ) throws {
        let arguments: [String: Any] = ["id": name, "name": name, "type": type, "port": Int(port), "txt": txt]
        try send("advertise", arguments.merging(["subtypes": subtypes]) { $1 })
    }

    /// Returns the name that a service got.
    func established(_ id: String) async throws -> String {
        try await event("advertised") { $0.id == id }.name ?? ""
    }

    func publish(_ name: String, _ type: String, port: UInt16, txt: [String: String]) async throws -> String {
        try startPublishing(name, type, port: port, txt: txt)
        return try await established(name)
    }

    func update(_ name: String, txt: [String: String]) async throws {
        try send("update", ["id": name, "txt": txt])
        try await event("updated") { $0.id == name }
    }

    func withdraw(_ name: String) async throws {
        try send("withdraw", ["id": name])
        try await event("withdrawn") { $0.id == name }
    }

    /// Starts to browse until the program ends.
    func browse(_ type: String = Lamp.type) throws {
        try send("browse", ["type": type])
    }

    /// Waits for matching output and consumes it. Earlier output counts.
    @discardableResult
    func event(
        _ kind: String,
        within limit: Duration = Wait.limit,
        where accepts: @escaping @Sendable (Event) -> Bool = { _ in true }
    ) async throws -> Event {
        try await process.json(Event.self, kind, within: limit) { $0.event == kind && accepts($0) }
    }

    func sees(
        _ name: String,
        _ type: String,
        where accepts: @escaping @Sendable (BrowseResult) -> Bool
    ) async throws -> BrowseResult {
        try browse(type)
        let isWanted: @Sendable (Event) -> Bool = { event in
            ["found", "changed"].contains(event.event) && event.name == name && accepts(BrowseResult(event))
        }
        return BrowseResult(try await process.json(Event.self, "\(name) as wanted", where: isWanted))
    }

    func misses(_ name: String, _ type: String) async throws {
        try await event("gone") { $0.name == name }
    }

    /// Waits for the next change of any browsed service; `nil` if the service is gone.
    func nextChange(within limit: Duration = Wait.limit) async throws -> (name: String, result: BrowseResult?) {
        let changes = ["found", "changed", "gone"]
        let event = try await process.json(Event.self, "a change", within: limit) { changes.contains($0.event) }
        return (event.name ?? "", event.event == "gone" ? nil : BrowseResult(event))
    }

    /// Ends the program as a user would; it says goodbye.
    func end() async {
        process.closeInput()
        await process.exit()
    }
}

extension BrowseResult {
    fileprivate init(_ event: OurHost.Event) {
        self.init(
            host: event.host ?? "",
            port: event.port ?? 0,
            addresses: Set(event.addresses ?? []),
            txt: event.txt ?? [:]
        )
    }
}
