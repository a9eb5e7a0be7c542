import Foundation
import HomeHub
import HubServer
import Logging
import PeerProcess
import Relay
import RelayAPI
import Synchronization
import Testing
import WebServer

/// A relay in the test's process, which can be stopped and started again at its address.
final class TestRelay: Sendable {
    // This is a class because it is started and stopped.

    private struct State {
        var server: RelayServer?
        var store: RelaySQLite?
        var port = 0
    }

    let folder: URL
    private let isOpen: Bool
    private let state = Mutex(State())

    private init(folder: URL, isOpen: Bool) {
        self.folder = folder
        self.isOpen = isOpen
    }

    /// Runs `body` with a relay, then stops it.
    static func with(isOpen: Bool = true, _ body: (TestRelay) async throws -> Void) async throws {
        try await ServedHub.withFolder { folder in
            let relay = TestRelay(folder: folder.appending(path: "relay"), isOpen: isOpen)
            try await relay.start()
            do {
                try await body(relay)
                await relay.stop()
            } catch {
                await relay.stop()
                throw error
            }
        }
    }

    var url: String { "http://127.0.0.1:\(state.withLock { $0.port })" }

    /// Adds a registration token.
    func addToken(uses: Int) async throws -> String {
        let token = RegistrationToken()
        let store = try #require(state.withLock { $0.store })
        try await store.add(RegistrationGrant(hash: token.hash, houseClass: .home, uses: uses, expires: .max))
        return token.text
    }

    func start() async throws {
        try FileManager.default.createDirectory(
            at: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        let store = try RelaySQLite(in: folder)
        let address = try #require(HTTPAddress("127.0.0.1:\(state.withLock { $0.port })"))
        var configuration = RelayServer.Configuration(
            address: address,
            log: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
        )
        configuration.isOpen = isOpen
        // Readers begin again and again here.
        configuration.limits.sessionsPerKey = 10_000
        configuration.limits.sessionsPerAddress = 10_000
        configuration.limits.openHousesPerAddress = 1_000
        // Another test may have got its port for a moment.
        var started: RelayServer?
        try await Wait.until("the port is free") {
            started = try? await RelayServer.start(configuration, store: store)
            return started != nil
        }
        let server = try #require(started)
        state.withLock { $0 = State(server: server, store: store, port: server.address.port) }
    }

    func stop() async {
        let (server, store) = state.withLock { state in
            defer { (state.server, state.store) = (nil, nil) }
            return (state.server, state.store)
        }
        await server?.stop()
        await store?.close()
    }

    /// Copies what a stopped relay has stored.
    func copy(to name: String) throws {
        try FileManager.default.copyItem(at: folder, to: folder.deletingLastPathComponent().appending(path: name))
    }

    /// Replaces what a stopped relay has stored by a copy, or by nothing.
    func restore(from name: String?) throws {
        try FileManager.default.removeItem(at: folder)
        guard let name else { return }
        try FileManager.default.copyItem(at: folder.deletingLastPathComponent().appending(path: name), to: folder)
    }
}
