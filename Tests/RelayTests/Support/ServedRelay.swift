import Foundation
import HomeIdentity
import Logging
import Relay
import RelayAPI
import RelayClient
import Synchronization
import TLS
import Testing
import WebServer

/// A relay that serves HTTP, for one test.
struct ServedRelay {
    let server: RelayServer
    let store: any RelayStore
    let clock: TestTime
    let url: String
    let owner = IdentityKey()
    let house = HouseID.random()
    let feed = FeedID.random()

    var port: Int { server.address.port }

    /// Runs `body` with a relay, then stops it.
    static func with(
        isOpen: Bool = true,
        certificate: (files: CertificateFiles, port: Int)? = nil,
        limits change: (inout RelayServerLimits) -> Void = { _ in },
        _ body: (ServedRelay) async throws -> Void
    ) async throws {
        try await withFolder { folder in
            let store = try RelaySQLite(in: folder)
            let clock = TestTime()
            let log = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
            let address = try #require(HTTPAddress("127.0.0.1:0"))
            var configuration = RelayServer.Configuration(address: address, log: log)
            configuration.isOpen = isOpen
            configuration.certificate = certificate?.files
            configuration.now = { clock.now }
            change(&configuration.limits)
            let server = try await RelayServer.start(configuration, store: store)
            let result: Result<Void, any Error>
            do {
                try await body(ServedRelay(server: server, store: store, clock: clock, url: server.url))
                result = .success(())
            } catch {
                result = .failure(error)
            }
            await server.stop()
            await store.close()
            try result.get()
        }
    }

    /// A client with a key.
    func client(_ key: IdentityKey? = nil, trust: RelayTrust = .system) throws -> RelayClient {
        let clock = clock
        return try RelayClient(url, as: key ?? owner, trust: trust, now: { clock.now })
    }

    /// Registers the house, and makes the feed.
    ///
    /// - Returns: The owner's client.
    func makeFeed() async throws -> RelayClient {
        let client = try client()
        try await client.register(house, owners: [owner.publicKey])
        try await client.makeFeed(feed, in: house)
        return client
    }

    var writer: TestWriter { TestWriter(house: house, feed: feed) }
}

/// The relay's time, which the test moves.
final class TestTime: Sendable {
    // This is a class because the relay and the test share it.

    private let time = Mutex<Int64>(1_790_000_000_000)

    var now: Int64 { time.withLock { $0 } }

    func advance(seconds: Int64) { time.withLock { $0 += 1_000 * seconds } }
}

/// Returns the code of the error with which the relay refuses something; `nil` if it doesn't.
func refusal(_ body: () async throws -> Void) async -> RelayError.Code? {
    do {
        try await body()
        return nil
    } catch RelayClientError.refused(let error) {
        return error.code
    } catch {
        return RelayError.Code(rawValue: "\(error)")
    }
}
