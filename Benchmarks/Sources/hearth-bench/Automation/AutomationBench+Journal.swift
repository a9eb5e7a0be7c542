import Foundation
import Glibc
import HomeKit
import PeerProcess

/// Measures the journal.
extension AutomationBench {
    /// Two characteristics that differ only in a permission: the journal records values, but not those that apps don't see.
    private static let recorded = "00000001-0000-4000-8000-48656172746E"
    private static let unrecorded = "00000002-0000-4000-8000-48656172746E"
    /// The writes in a round if the journal writes each alone.
    private static let writesAlone = 10

    private static var bridge: String {
        func characteristic(_ type: String, _ permissions: String) -> String {
            #""\#(type)": { "format": "uint8", "permissions": [\#(permissions)], "min": 0, "max": 100, "value": 0 }"#
        }
        let characteristics = [
            #""On": false"#, characteristic(recorded, #""pr", "pw", "ev""#),
            characteristic(unrecorded, #""pr", "pw", "ev", "hd""#),
        ]
        let services = #"[{ "type": "Lightbulb", "characteristics": { \#(characteristics.joined(separator: ", ")) } }]"#
        let lamps = (1...SimulatedHome.perBridge).map { number in
            #"{ "name": "Lamp \#(number)", "serialNumber": "LAMP-\#(number)", "services": \#(services) }"#
        }
        return """
            { "format": 1, "name": "Bridge", "serialNumber": "BRIDGE-1", "accessories": [\(lamps.joined(separator: ",\n"))] }
            """
    }

    mutating func measureJournal() async throws {
        let disk = try DiskFolder(beside: hearth)
        defer { disk.remove() }
        let runFolder = try makeFolder("journal")
        let (data, socket) = (disk.url.appending(path: "hub"), runFolder.appending(path: "hub.sock").path)
        let simulated = try await SimulatedHome(descriptions: [Self.bridge], hearth, folder: runFolder)
        var hub = try await HubProcess(hearth, data: data, socket: socket)
        let id = try simulated.add(to: try HubClient(path: socket), named: "Villa")
        let lamps = await characteristics(HMCharacteristicTypePowerState, socket)
        guard lamps.count == SimulatedHome.perBridge else { throw BenchFailure("the home has \(lamps.count) lamps") }
        try measureRecording(lamps, in: id, hub, control: simulated.control)
        try recordChain(lamps, in: id, hub, control: simulated.control)
        await hub.stop()
        try await fill(data.appending(path: "journal.sqlite"))
        for round in 1...effort.rounds {
            hub = try await HubProcess(hearth, data: data, socket: socket)
            figures.startWithJournal.add(hub.timeToReady.milliseconds)
            _ = hub.clock.settled()
            try measureExplanations(lamps, in: id, socket)
            await hub.stop()
            progress("explanations \(round)/\(effort.rounds)")
        }
        await simulated.stop()
    }

    /// Measures writes whose values are recorded, alternating with others.
    private mutating func measureRecording(
        _ lamps: [BenchCharacteristic],
        in id: String,
        _ hub: HubProcess,
        control: String
    ) throws {
        let home = AutomationHome(client: try HubClient(path: hub.socket), id: id)
        let simulator = try SimulatorControl(path: control)
        let iids = try [Self.unrecorded, Self.recorded].map { try simulator.iid(of: $0, in: lamps[0].accessoryName) }
        var written = [Int: Int]()

        /// Writes the next value to one lamp after another, so that no lamp has more entries than the journal keeps.
        func write(_ iid: Int) throws {
            let number = written[iid, default: 0]
            written[iid] = number + 1
            let value = (number / lamps.count + 1) % 100
            try home.write("\(value)", toIID: iid, of: lamps[number % lamps.count].accessory)
        }
        for iid in iids { for _ in lamps { try write(iid) } }
        for round in 1...effort.rounds {
            let times = try iids.map { iid in
                try timeWithJournal(hub) { for _ in 0..<effort.writes { try write(iid) } }.microseconds
                    / Double(effort.writes)
            }
            figures.unrecordedWrite.add(times[0])
            figures.recordedWrite.add(times[1])
            figures.journalShare.add((times[1] - times[0]) / times[0] * 100)
            progress("recorded writes \(round)/\(effort.rounds)")
        }
        let timesAlone = try iids.map { iid in
            try timeWithJournal(hub) {
                for _ in 0..<Self.writesAlone {
                    try write(iid)
                    usleep(Self.journalDelay)
                }
            }.microseconds / Double(Self.writesAlone)
        }
        figures.recordAlone.add(timesAlone[1] - timesAlone[0])
    }

    /// Records values of many lamps that a scene wrote, which a trigger ran.
    private func recordChain(
        _ lamps: [BenchCharacteristic],
        in id: String,
        _ hub: HubProcess,
        control: String
    ) throws {
        let home = AutomationHome(client: try HubClient(path: hub.socket), id: id)
        guard let switched = lamps.last else { return }
        let scene = try home.addScene("Scene", writing: "true", to: lamps.dropLast())
        try home.add([("Trigger", TriggerDefinition.change(of: switched))], running: scene)
        let iid = try SimulatorControl(path: control).iid(of: "On", in: switched.accessoryName)
        try home.write("true", toIID: iid, of: switched.accessory)
        usleep(Self.journalDelay)
        guard try explain(lamps[0], in: id, home.client) >= 3 else {
            throw BenchFailure("the journal doesn't have the chain")
        }
    }

    /// Replaces the journal's entries with many copies of them.
    private mutating func fill(_ file: URL) async throws {
        struct Filled: Decodable, Sendable {
            var entries: Int
        }
        let script = programs.folder.appending(path: "Peers/fill_journal.py").path
        let process = try PeerProcess(programs.python, ["-B", script, file.path, String(effort.entries)])
        let filled = try await process.json(Filled.self, "a full journal", within: .seconds(300)) { _ in true }
        await process.terminate()
        guard filled.entries == effort.entries else { throw BenchFailure("the journal has \(filled.entries) entries") }
        let size = try file.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
        figures.journalSize.add(Double(size) / 1_000_000)
        progress("journal of \(effort.entries) entries")
    }

    private mutating func measureExplanations(_ lamps: [BenchCharacteristic], in id: String, _ socket: String) throws {
        let client = try HubClient(path: socket)
        for lamp in lamps.shuffled() {
            let start = ContinuousClock.now
            let entries = try explain(lamp, in: id, client)
            figures.explanation.add((ContinuousClock.now - start).milliseconds)
            guard entries > 0 else { throw BenchFailure("the journal has nothing about \(lamp.accessoryName)") }
        }
    }

    /// Returns the number of entries that explain an accessory's last change.
    private func explain(_ lamp: BenchCharacteristic, in home: String, _ client: HubClient) throws -> Int {
        struct Page: Decodable {
            struct Entry: Decodable {}

            var entries: [Entry]
        }
        return try client.call("journal.explain", #"{"home":"\#(home)","id":"\#(lamp.accessory)"}"#, Page.self)
            .entries.count
    }
}
