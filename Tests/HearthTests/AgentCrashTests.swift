import Foundation
import HAP
import HubAPI
import HubClient
import LocalRPCSockets
import NIOCore
import PeerProcess
import Testing

/// An agent that is killed at any moment while it joins and leaves. What the hub lists, the device has the key of.
struct AgentCrashTests {
    private struct Ready: Decodable, Sendable {
        var event: String
    }

    private static let runs = ProcessInfo.processInfo.environment["HEARTH_CRASH_RUNS"].flatMap { Int($0) } ?? 6
    /// Joining takes up to this time in a debug build, in seconds.
    private static let longestDelay = 0.6

    private static func start(_ device: Fixture) async throws -> PeerProcess {
        let data = device.folder.appending(path: "agent").path
        let arguments = ["agent", "--data", data, "--socket", device.socket, "--mdns-interface", "127.0.0.1", "--json"]
        let agent = try PeerProcess(Programs.hearth, arguments)
        _ = try await agent.json(Ready.self, "the agent's start") { $0.event == "ready" }
        return agent
    }

    /// Calls a method, and returns `nil` if there was no reply.
    private static func call<Parameters, Result>(
        _ method: Method<Parameters, Result>,
        _ parameters: Parameters,
        at place: Fixture
    ) async -> Result? {
        let connection = HubConnection(over: UnixSocketTransport(path: place.socket), onEvent: { _ in })
        defer { connection.close() }
        _ = try? await connection.call(HubMethods.hello, Hello(app: "hearth.test", purpose: "Tests."))
        return try? await connection.call(method, parameters)
    }

    /// Kills the agent after a random time, while a request to it runs.
    private static func kill<Parameters: Sendable, Result: Sendable>(
        _ agent: PeerProcess,
        _ device: Fixture,
        during method: Method<Parameters, Result>,
        _ parameters: Parameters
    ) async -> Result? {
        async let result = call(method, parameters, at: device)
        try? await Task.sleep(for: .seconds(.random(in: 0...longestDelay)))
        agent.kill(SIGKILL)
        _ = await agent.exit()
        return await result
    }

    /// Waits until the agent's hubs fulfill a condition, and returns them. Sessions end while hubs come and go.
    private static func hubs(
        _ device: Fixture,
        in run: Int,
        where condition: @Sendable ([AgentHubs.Hub]) -> Bool
    ) async throws -> [AgentHubs.Hub] {
        let hubs = try await Wait.value { (hubs: [AgentHubs.Hub]?) in
            hubs.map(condition) ?? false
        } of: {
            await call(AgentMethods.hubs, Empty(), at: device)?.hubs
        }
        let list = try #require(hubs)
        #expect(condition(list), "run \(run): \(list)")
        return list
    }

    private static func isListed(_ name: String, at hub: Fixture) async throws -> Bool {
        try await device(name, at: hub) != nil
    }

    /// Returns the ID of a device.
    private static func device(_ name: String, at hub: Fixture) async throws -> UUID? {
        let devices = try #require(await call(HubMethods.devices, Empty(), at: hub)).devices
        return devices.first { $0.name == name }?.id
    }

    @Test func aDeviceThatTheHubHasLetInNeverLosesItsKey() async throws {
        try await Fixture.with { fixture in
            let hub = try await fixture.startHub(["--network", "127.0.0.1:0"])
            #expect(try await fixture.run("home", "add", "Villa").status == 0)
            for run in 0..<Self.runs {
                let folder = fixture.folder.appending(path: "device \(run)")
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
                let device = Fixture(folder: folder)
                let name = "Laptop \(run)"
                var agent = try await Self.start(device)
                let added = try #require(await Self.call(HubMethods.addDevice, AddDevice(kind: .code), at: fixture))
                let port = try #require(try await JoinCrashTests.address(fixture).port)
                let joining = JoinHub(
                    invitation: try #require(added.code),
                    name: name,
                    place: "127.0.0.1:\(port)"
                )
                let told = await Self.kill(agent, device, during: AgentMethods.join, joining)
                agent = try await Self.start(device)
                let isIn = try await Self.isListed(name, at: fixture)
                #expect(isIn || told == nil)
                // The code is still open, and what was begun before is replaced; or the hub had all it needed of the first
                // attempt, and was about to let the device in.
                if !isIn, await Self.call(AgentMethods.join, joining, at: device) == nil {
                    #expect(try await Self.isListed(name, at: fixture), "run \(run)")
                }
                let joined = try await Self.hubs(device, in: run) { $0.map(\.standing.state) == [.near] }
                let leaving = AgentHubTarget(hub: try #require(joined.first).id.uuidString)
                _ = await Self.kill(agent, device, during: AgentMethods.leave, leaving)
                agent = try await Self.start(device)
                // The hub may have been told just before the agent was killed, and not have done it yet.
                var remains = false
                try await Wait.until("both know whether the device has left, in run \(run)") {
                    remains = try await Self.isListed(name, at: fixture)
                    let hubs = await Self.call(AgentMethods.hubs, Empty(), at: device)?.hubs
                    return hubs?.map(\.standing.state) == (remains ? [.near] : [])
                }
                if remains, let id = try await Self.device(name, at: fixture) {
                    // A user has a limited number of devices.
                    _ = await Self.call(HubMethods.removeDevice, RemoveDevice(id: id), at: fixture)
                }
                #expect(await agent.terminate() == 0)
            }
            #expect(await hub.terminate() == 0)
        }
    }
}
