import Foundation
import HAP
import HAPCatalog
import HomeKit
import PeerProcess

/// Measures scenes.
extension AutomationBench {
    /// Measures a scene of lamps behind one bridge, alternating with bare requests that write the same to another bridge.
    mutating func measureScenes() async throws {
        let disk = try DiskFolder(beside: hearth)
        defer { disk.remove() }
        let runFolder = try makeFolder("scenes")
        let socket = runFolder.appending(path: "hub.sock").path
        let simulated = try await SimulatedHome(lamps: Contestant.lamps, hearth, folder: runFolder)
        let hub = try await HubProcess(hearth, data: disk.url.appending(path: "hub"), socket: socket)
        let client = try HubClient(path: socket)
        let home = AutomationHome(client: client, id: try simulated.add(to: client, named: "Villa"))
        let lamps = Array(await characteristics(HMCharacteristicTypePowerState, socket).prefix(Self.lamps))
        guard lamps.count == Self.lamps else { throw BenchFailure("the home has \(lamps.count) lamps") }
        let scenes = try ["true", "false"].map { try home.addScene("Scene \($0)", writing: $0, to: lamps) }

        let server = try LampServer(.hearth, programs: programs, folder: try makeFolder("scenes-bare"))
        var ignored = Samples()
        let paired = try PairedServer(server, code: try await server.ready(), setupTime: &ignored)
        let connection = try paired.verified()
        _ = hub.clock.settled()

        for round in 0...effort.rounds {
            var (scene, bare) = (Samples(), Samples())
            let before = try WireRequests.count(of: hub.process.processIdentifier)
            for run in 0..<2 * effort.runs {
                var start = ContinuousClock.now
                try home.run(scenes[run % 2])
                scene.add((ContinuousClock.now - start).milliseconds)
                let entries = paired.lamps.prefix(Self.lamps).map { lamp in
                    CharacteristicWriteRequest.Entry(id: lamp, value: .bool(run.isMultiple(of: 2)))
                }
                start = .now
                let response = try connection.ask(connection.write(entries))
                bare.add((ContinuousClock.now - start).milliseconds)
                guard response.status == .noContent else { throw BenchFailure("a write returned \(response.status)") }
            }
            let requests = try WireRequests.count(of: hub.process.processIdentifier) - before
            // The first round only warms up.
            guard round > 0 else { continue }
            figures.scene.add(scene.values)
            figures.barePut.add(bare.values)
            figures.sceneRatio.add(scene.median / bare.median)
            figures.requests.add(Double(requests) / Double(2 * effort.runs))
        }
        await server.stop()
        await hub.stop()
        await simulated.stop()
        progress("scenes of \(Self.lamps) lamps")
    }
}
