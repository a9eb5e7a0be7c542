import Foundation
import HAP
import HomeIdentity
import HubAPI
import HubClient
import HubNetwork
import LocalRPCSockets
import NIOCore
import PeerProcess
import Testing

/// A hub that is killed at any moment while devices join and leave. Each device is in or out afterwards, never half.
struct JoinCrashTests {
    private static let runs = ProcessInfo.processInfo.environment["HEARTH_CRASH_RUNS"].flatMap { Int($0) } ?? 6
    /// Joining takes up to this time in a debug build, in microseconds.
    private static let longestDelay = 800_000

    /// A device, and whether a reply has told it that it is in.
    private struct Device {
        let key: IdentityKey
        var isTold = false
        var isToldToLeave = false
    }

    private static func connect(_ fixture: Fixture) async throws -> HubConnection {
        let connection = HubConnection(over: UnixSocketTransport(path: fixture.socket), onEvent: { _ in })
        _ = try await connection.call(HubMethods.hello, Hello(app: "hearth.test", purpose: "Tests."))
        return connection
    }

    /// Kills the hub after a random time, while an operation runs.
    private static func kill<Result: Sendable>(
        _ hub: PeerProcess,
        during operation: @escaping @Sendable () async -> Result
    ) async -> Result {
        async let result = operation()
        try? await Task.sleep(for: .microseconds(Int.random(in: 0...longestDelay)))
        hub.kill(SIGKILL)
        _ = await hub.exit()
        return await result
    }

    /// Returns whether the hub lets a device in.
    private static func isIn(_ key: IdentityKey, _ hub: PublicKey, _ address: SocketAddress) async throws -> Bool {
        let connection = HubConnection(
            over: LinkTransport(to: address, as: try LinkIdentity(key), hubs: [hub]),
            onEvent: { _ in }
        )
        defer { connection.close() }
        do throws(HubError) {
            _ = try await connection.call(HubMethods.hello, Hello(app: "hearth.test", purpose: "Tests."))
            return true
        } catch {
            return false
        }
    }

    @Test func aDeviceIsInIfItWasToldSoAndOutIfItsRemovalWas() async throws {
        try await Fixture.with { fixture in
            let network = ["--network", "127.0.0.1:0"]
            var hubKey: PublicKey?
            for run in 0..<Self.runs {
                var hub = try await fixture.startHub(network)
                let owner = try await Self.connect(fixture)
                let code = try #require(try await owner.call(HubMethods.addDevice, AddDevice(kind: .code)).code)
                var device = Device(key: IdentityKey())
                let (key, name, place) = (device.key, "Laptop \(run)", try await Self.address(fixture))
                let joined = await Self.kill(hub) {
                    try? await JoinChannel.join(
                        at: place,
                        as: key,
                        secret: .code(SetupCode(code)),
                        invitation: nil,
                        request: JoinRequest(name: name)
                    )
                }
                device.isTold = joined != nil
                hubKey = joined?.hub ?? hubKey
                owner.close()

                hub = try await fixture.startHub(network)
                var list = try await Self.devices(fixture)
                let listed = list.first { $0.name == name }
                #expect(listed != nil || !device.isTold)
                if let hubKey { #expect(try await Self.isIn(key, hubKey, Self.address(fixture)) == (listed != nil)) }
                guard let listed else {
                    #expect(await hub.terminate() == 0)
                    continue
                }

                let remover = try await Self.connect(fixture)
                let removed = await Self.kill(hub) {
                    try? await remover.call(HubMethods.removeDevice, RemoveDevice(id: listed.id))
                }
                device.isToldToLeave = removed != nil
                remover.close()
                hub = try await fixture.startHub(network)
                list = try await Self.devices(fixture)
                let remains = list.contains { $0.id == listed.id }
                #expect(!remains || !device.isToldToLeave)
                if let hubKey { #expect(try await Self.isIn(key, hubKey, Self.address(fixture)) == remains) }
                if remains {
                    let owner = try await Self.connect(fixture)
                    _ = try await owner.call(HubMethods.removeDevice, RemoveDevice(id: listed.id))
                    owner.close()
                }
                #expect(await hub.terminate() == 0)
            }
        }
    }

    /// Returns where the hub listens, which a link tells.
    static func address(_ fixture: Fixture) async throws -> SocketAddress {
        let owner = try await connect(fixture)
        defer { owner.close() }
        let invitation = try await owner.call(HubMethods.addDevice, AddDevice(kind: .link))
        let link = try InvitationLink(try #require(invitation.link).url)
        _ = try await owner.call(HubMethods.removeInvitation, InvitationTarget(id: invitation.id))
        return try SocketAddress(ipAddress: "127.0.0.1", port: Int(try #require(link.addresses.first).port))
    }

    private static func devices(_ fixture: Fixture) async throws -> [Devices.Device] {
        let owner = try await connect(fixture)
        defer { owner.close() }
        return try await owner.call(HubMethods.devices, Empty()).devices
    }
}
