import Foundation
import Glibc
import PeerProcess

/// Measures what a value costs the hub: a client's write, and an accessory's event to many clients.
extension HomeBench {
    /// Longer than the simulator's time for coalescing events.
    private static let pause: useconds_t = 350_000

    /// The journal records a characteristic at most 600 times a minute, so events are of one that isn't written.
    private static let reported = "Hue"

    private static let lamp = """
        { "format": 1, "name": "Lamp", "serialNumber": "LAMP-1", "category": "Lightbulb",
          "services": [{ "type": "Lightbulb", "characteristics": {
              "On": true, "Brightness": \(SimulatedHome.brightness), "\(reported)": 20
          } }] }
        """

    mutating func measureValues() async throws {
        let runFolder = try makeFolder("values")
        let socket = runFolder.appending(path: "hub.sock").path
        let simulated = try await SimulatedHome(descriptions: [Self.lamp], hearth, folder: runFolder)
        let hub = try await HubProcess(hearth, data: runFolder.appending(path: "hub"), socket: socket)
        let home = try simulated.add(to: try HubClient(path: socket), named: "Villa")
        let client = try HubClient(path: socket)
        guard let lamp = try client.lamp(), let iid = Int(lamp.iid) else {
            throw BenchFailure("the lamp has no brightness")
        }
        let core = try await SharedCore(with: [simulated.simulator.processIdentifier, hub.process.processIdentifier])
        try measureWrites(to: lamp.accessory, iid, AutomationHome(client: client, id: home), hub)
        try measureEvents(of: lamp.accessory, in: home, hub, control: simulated.control)
        try await core.leave()
        await hub.stop()
        await simulated.stop()
    }

    private mutating func measureWrites(
        to accessory: String,
        _ iid: Int,
        _ home: AutomationHome,
        _ hub: HubProcess
    ) throws {
        for round in 0...effort.rounds {
            let time = try hub.clock.time {
                for number in 0..<effort.changes {
                    try home.write("\(number % 2 + 10)", toIID: iid, of: accessory)
                }
            }
            // The first round is the hub's warm-up.
            if round > 0 { figures.write.add(time.microseconds / Double(effort.changes)) }
        }
        progress("an app's writes")
    }

    private mutating func measureEvents(
        of accessory: String,
        in home: String,
        _ hub: HubProcess,
        control: String
    ) throws {
        let simulator = try SimulatorControl(path: control)
        let iid = try simulator.iid(of: Self.reported, in: "Lamp")
        let clients = try (0..<Self.listeners).map { _ in try HubClient(path: hub.socket) }
        let characteristic = #"{"accessory":"\#(accessory)","iid":\#(iid)}"#
        for client in clients {
            let parameters = #"{"home":"\#(home)","characteristics":[\#(characteristic)],"enabled":true}"#
            try client.call("characteristic.notify", parameters)
        }
        var value = 20
        for round in 0...effort.rounds {
            let time = try hub.clock.time {
                for _ in 0..<effort.events {
                    usleep(Self.pause)
                    value = value == 20 ? 30 : 20
                    try simulator.set(Self.reported, of: "Lamp", to: "\(value)")
                    for client in clients { _ = try client.socket.line() }
                }
            }
            let perClient = time.microseconds / Double(effort.events * Self.listeners)
            if round > 0 { figures.valueToClient.add(perClient) }
        }
        progress("values to \(Self.listeners) apps")
    }
}
