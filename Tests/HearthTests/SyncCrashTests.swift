import FeedFollowing
import Foundation
import HAP
import HomeIdentity
import HomeModel
import HubAPI
import HubClient
import HubNetwork
import LocalRPCSockets
import NIOCore
import PeerProcess
import RelayAPI
import RelayClient
import Testing

/// A hub and a relay that are killed at any moment while the homes change. A device that reads the feed finds nothing wrong, and
/// gets what the hub has.
struct SyncCrashTests {
    private static let runs = ProcessInfo.processInfo.environment["HEARTH_CRASH_RUNS"].flatMap { Int($0) } ?? 4
    /// Some changes are published in this time in a debug build, in microseconds.
    private static let longestDelay = 400_000
    /// The time between two changes, so that the relay's limit for writes isn't reached.
    private static let pause = Duration.milliseconds(20)

    private struct Ready: Decodable {
        var event: String?
        var url: String?
    }

    private static func connect(
        _ fixture: Fixture,
        onEvent: @escaping @Sendable (HubEvent) -> Void = { _ in }
    ) async throws -> HubConnection {
        let connection = HubConnection(over: UnixSocketTransport(path: fixture.socket), onEvent: onEvent)
        _ = try await connection.call(HubMethods.hello, Hello(app: "hearth.test", purpose: "Tests."))
        return connection
    }

    private static func startRelay(_ fixture: Fixture, port: Int = 0) async throws -> (PeerProcess, String) {
        let data = fixture.folder.appending(path: "relay").path
        let arguments = ["relay", "--http", "127.0.0.1:\(port)", "--open", "--data", data, "--json"]
        let relay = try PeerProcess(Programs.hearth, arguments)
        let ready = try await relay.json(Ready.self, "the relay's start") { $0.event == "ready" }
        return (relay, try #require(ready.url))
    }

    /// Lets a device join, and gives the hub its keys.
    private static func join(_ fixture: Fixture) async throws -> FeedFollower {
        let owner = try await connect(fixture)
        defer { owner.close() }
        let code = try #require(try await owner.call(HubMethods.addDevice, AddDevice(kind: .code)).code)
        let (key, box, relayKey) = (IdentityKey(), BoxKey(), IdentityKey())
        let place = try await JoinCrashTests.address(fixture)
        let joined = try await JoinChannel.join(
            at: place,
            as: key,
            secret: .code(SetupCode(code)),
            invitation: nil,
            request: JoinRequest(name: "Laptop")
        )
        let agent = HubConnection(
            over: LinkTransport(to: place, as: try LinkIdentity(key), hubs: [joined.hub]),
            onEvent: { _ in }
        )
        defer { agent.close() }
        let introduction = AgentIntroduction(version: "1", platform: "linux")
        let hello = Hello(app: HubProtocol.agentApp, purpose: "", agent: introduction)
        _ = try await agent.call(HubMethods.hello, hello)
        let keys = FeedKeys(box: Data(box.publicBox.bytes), relayKey: Data(relayKey.publicKey.bytes))
        let location = try #require(try await agent.call(HubMethods.openFeed, keys).location)
        return try FeedFollower(location, hub: joined.hub, box: box, relayKey: relayKey)
    }

    @Test func aDeviceFindsNothingWrongAndGetsWhatTheHubHas() async throws {
        try await Fixture.with { fixture in
            let network = ["--network", "127.0.0.1:0"]
            var (relay, url) = try await Self.startRelay(fixture)
            let port = try #require(URL(string: url)?.port)
            var hub = try await fixture.startHub(network)
            var owner = try await Self.connect(fixture)
            let home = try await owner.call(HubMethods.addHome, AddHome(name: "Villa")).id
            let room = try await owner.call(HubMethods.addRoom, InHome(home, AddRoom(name: "Room"))).id
            _ = try await owner.call(HubMethods.enableSync, EnableSync(relay: url))
            var follower = try await Self.join(fixture)
            for run in 0..<Self.runs {
                let changing = owner
                async let changes: Void = {
                    for number in 0..<1_000 {
                        let request = InHome(home, RenameRoom(room, name: "Room \(run)-\(number)"))
                        guard (try? await changing.call(HubMethods.renameRoom, request)) != nil else { return }
                        try? await Task.sleep(for: Self.pause)
                    }
                }()
                try? await Task.sleep(for: .microseconds(Int.random(in: 0...Self.longestDelay)))
                if run % 3 == 2 {
                    relay.kill(SIGKILL)
                    _ = await relay.exit()
                    try? await Task.sleep(for: .microseconds(Int.random(in: 0...Self.longestDelay)))
                }
                hub.kill(SIGKILL)
                _ = await hub.exit()
                await changes
                changing.close()

                if run % 3 == 2 { (relay, _) = try await Self.startRelay(fixture, port: port) }
                hub = try await fixture.startHub(network)
                let view = AwaitableValue(HubState())
                owner = try await Self.connect(fixture) { event in view.change { $0.apply(event) } }
                let request = InHome(home, RenameRoom(room, name: "Run \(run)"))
                _ = try await owner.call(HubMethods.renameRoom, request)
                let status = owner
                try await Wait.until("the device has what the hub has in run \(run)") {
                    let feed = try await status.call(HubMethods.syncStatus, Empty()).feeds.first
                    try #require(feed?.state != .stopped, "run \(run): \(feed?.reason ?? "")")
                    do {
                        try await follower.read()
                    } catch RelayClientError.refused(let refusal)
                        where refusal.code == .notFound && follower.headers.isEmpty
                    {
                        // The hub was killed before it had told the relay of the device.
                        return false
                    }
                    let rooms = view.value.homes[home]?.rooms.map(\.name)
                    return rooms?.contains("Run \(run)") == true
                        && follower.view.homes[home]?.rooms.map(\.name) == rooms
                }
            }
            #expect(follower.terms == [0], "nothing was lost, so nothing began again")
            owner.close()
            #expect(await hub.terminate() == 0)
            #expect(await relay.terminate() == 0)
        }
    }
}
