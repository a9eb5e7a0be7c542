import Foundation
import Glibc
import HomeKit

/// Measures what values of accessories cause.
extension AutomationBench {
    /// Longer than the simulator's time for coalescing events.
    private static let pause: useconds_t = 350_000
    /// The number of sensors, each with a trigger for each value. The hub limits how often a trigger fires in a minute.
    private static let sensors = 6

    private static func lamp(_ name: String) -> String {
        """
        { "format": 1, "name": "\(name)", "serialNumber": "\(name)", "category": "Lightbulb",
          "services": [{ "type": "Lightbulb", "characteristics": { "On": false } }] }
        """
    }

    private static var sensorBridge: String {
        let services = #"[{ "type": "MotionSensor", "characteristics": { "MotionDetected": false } }]"#
        let sensors = (1...sensors).map { number in
            #"{ "name": "Sensor \#(number)", "serialNumber": "SENSOR-\#(number)", "services": \#(services) }"#
        }
        return """
            { "format": 1, "name": "Bridge", "serialNumber": "BRIDGE-1", "accessories": [\(sensors.joined(separator: ", "))] }
            """
    }

    /// Measures the time from a sensor's event until the write of a trigger's scene arrives at a lamp, with a store on the
    /// disk.
    mutating func measureReactions() async throws {
        let disk = try DiskFolder(beside: hearth)
        defer { disk.remove() }
        let runFolder = try makeFolder("reactions")
        let socket = runFolder.appending(path: "hub.sock").path
        let descriptions = [Self.sensorBridge, Self.lamp("Lamp"), Self.lamp("Other")]
        let simulated = try await SimulatedHome(descriptions: descriptions, hearth, folder: runFolder)
        let hub = try await HubProcess(hearth, data: disk.url.appending(path: "hub"), socket: socket)
        let client = try HubClient(path: socket)
        let home = AutomationHome(client: client, id: try simulated.add(to: client, named: "Villa"))
        let sensors = await characteristics(HMCharacteristicTypeMotionDetected, socket)
        let lamps = await characteristics(HMCharacteristicTypePowerState, socket).filter { $0.accessoryName == "Lamp" }
        guard sensors.count == Self.sensors, lamps.count == 1 else { throw BenchFailure("the home lacks accessories") }
        for value in ["true", "false"] {
            let scene = try home.addScene("Scene \(value)", writing: value, to: lamps)
            let triggers = sensors.map { sensor in
                ("\(sensor.accessoryName) \(value)", TriggerDefinition.change(of: sensor, to: value))
            }
            try home.add(triggers, running: scene)
        }
        _ = hub.clock.settled()

        let (setter, watch) = (
            try SimulatorControl(path: simulated.control), try SimulatorControl(path: simulated.control)
        )
        for number in 0..<effort.reactions {
            usleep(Self.pause)
            let value = number.isMultiple(of: 2) ? "true" : "false"
            let reaction = try watch.time(
                until: "Lamp",
                isWritten: true,
                by: setter,
                setting: "MotionDetected",
                of: "Sensor \(number / 2 % Self.sensors + 1)",
                to: value
            )
            figures.reaction.add(reaction.milliseconds)
            let own = try watch.time(
                until: "Other",
                isWritten: false,
                by: setter,
                setting: "On",
                of: "Other",
                to: value
            )
            figures.simulator.add(own.milliseconds)
        }
        await hub.stop()
        await simulated.stop()
        figures.echo.add(try await EchoProcess.roundTrips(effort.reactions))
        let commits = try await AppendTimes.measure(effort.reactions, hearth)
        figures.bareCommit.add(commits.bare.map { $0 / 1_000 })
        progress("reactions to a sensor")
    }

    /// Measures the cost of a value that many triggers watch.
    mutating func measureWatchedValues() async throws {
        let runFolder = try makeFolder("values")
        let socket = runFolder.appending(path: "hub.sock").path
        let simulated = try await SimulatedHome(servers: 3, hearth, folder: runFolder)
        let hub = try await HubProcess(hearth, data: runFolder.appending(path: "hub"), socket: socket)
        let client = try HubClient(path: socket)
        let first = AutomationHome(client: client, id: try client.call("home.add", #"{"name":"Villa"}"#))
        let second = AutomationHome(client: client, id: try client.call("home.add", #"{"name":"Cabin"}"#))
        for (bridge, home) in zip(simulated.bridges, [first, first, second]) {
            try simulated.add(bridge, to: home.id, of: client)
        }
        let brightness = await characteristics(HMCharacteristicTypeBrightness, socket)
        let power = await characteristics(HMCharacteristicTypePowerState, socket)
        let lamps = brightness.filter { $0.home == first.id }
        guard lamps.count == 2, let evaluated = brightness.first(where: { $0.home == second.id }),
            let state = power.first(where: { $0.home == second.id })
        else { throw BenchFailure("the homes lack lamps") }
        let iid = try SimulatorControl(path: simulated.control).iid(of: "Brightness", in: lamps[0].accessoryName)

        let numbers = 1...Self.triggersPerHome
        let scene = try first.addScene("Scene", writing: "30", to: [lamps[1]])
        let ranges = numbers.map { ("Trigger \($0)", TriggerDefinition.entry(of: lamps[0], into: 60...70)) }
        try first.add(ranges, running: scene)
        let isOff = TriggerDefinition.equals(state, "false")
        let conditions = numbers.map {
            ("Trigger \($0)", TriggerDefinition.change(of: evaluated, condition: isOff))
        }
        try second.add(conditions, running: try second.addScene("Scene", writing: "30", to: [evaluated]))

        var written = 0

        /// Returns the hub's time for a write, in microseconds. No write enters the range.
        func write(_ count: Int, _ lamp: BenchCharacteristic, of home: AutomationHome) throws -> Double {
            let time = try timeWithJournal(hub) {
                for _ in 0..<count {
                    written += 1
                    try home.write(written.isMultiple(of: 2) ? "10" : "20", toIID: iid, of: lamp.accessory)
                }
            }
            return time.microseconds / Double(count)
        }
        for lamp in lamps { _ = try write(effort.writes, lamp, of: first) }
        figures.recordedEvaluation.add(try write(1, evaluated, of: second))
        for _ in 1...effort.rounds {
            let unwatched = try write(effort.writes, lamps[1], of: first)
            let watched = try write(effort.writes, lamps[0], of: first)
            figures.unwatchedWrite.add(unwatched)
            figures.watchedWrite.add(watched)
            figures.dispatch.add(watched - unwatched)
            figures.evaluation.add(try write(effort.writes, evaluated, of: second) - unwatched)
        }
        await hub.stop()
        await simulated.stop()
        progress("values that \(Self.triggersPerHome) triggers watch")
    }
}
