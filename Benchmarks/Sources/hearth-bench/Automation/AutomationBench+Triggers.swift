import Foundation
import HomeKit
import PeerProcess

/// Measures hubs with many enabled triggers.
extension AutomationBench {
    private static let minute: Int64 = 60_000
    private static let day = 24 * 60 * minute

    private struct Clock: Decodable {
        var milliseconds: Int64
    }

    /// The number of homes, which have as many triggers as is allowed.
    private var homes: Int {
        ((effort.triggers.last ?? 0) + Self.triggersPerHome - 1) / Self.triggersPerHome
    }

    /// Homes with one lamp each, and the scene in each that turns it on.
    private struct Homes {
        var homes: [(home: AutomationHome, scene: String)] = []
        private var count = 0

        init(_ client: HubClient, _ simulated: SimulatedHome, lamps: () async -> [BenchCharacteristic]) async throws {
            var ids: [String] = []
            for (index, bridge) in simulated.bridges.enumerated() {
                ids.append(try client.call("home.add", #"{"name":"Home \#(index + 1)"}"#))
                try simulated.add(bridge, to: ids[index], of: client)
            }
            let lamps = await lamps()
            for id in ids {
                let home = AutomationHome(client: client, id: id)
                let lamp = lamps.filter { $0.home == id }
                homes.append((home, try home.addScene("On", writing: "true", to: lamp)))
            }
        }

        /// Adds triggers until there is a given number, home after home.
        mutating func fill(to total: Int, _ definition: (Int) -> String) throws {
            while count < total {
                let (home, scene) = homes[count / AutomationBench.triggersPerHome]
                let end = (count / AutomationBench.triggersPerHome + 1) * AutomationBench.triggersPerHome
                let numbers = count..<min(total, end)
                try home.add(numbers.map { ("Automation \($0)", definition($0)) }, running: scene)
                count = numbers.upperBound
            }
        }
    }

    /// Measures the cost of a firing with more and more triggers that are due later.
    mutating func measureFirings() async throws {
        let runFolder = try makeFolder("firings")
        let socket = runFolder.appending(path: "hub.sock").path
        let simulated = try await SimulatedHome(servers: homes, hearth, folder: runFolder)
        let data = runFolder.appending(path: "hub")
        let hub = try await HubProcess(hearth, data: data, socket: socket, options: ["--clock", "manual"])
        let client = try HubClient(path: socket)
        var homes = try await Homes(client, simulated) { await characteristics(HMCharacteristicTypePowerState, socket) }
        let now = try client.call("clock.get", "{}", Clock.self).milliseconds / Self.minute * Self.minute
        let firings = effort.firings
        for count in effort.triggers {
            // The first fire in turn, one each minute. The others are due in a month.
            try homes.fill(to: count) { number in
                number < firings
                    ? TriggerDefinition.timer(at: now + Int64(number + 1) * Self.minute, everyMinutes: firings)
                    : TriggerDefinition.timer(
                        at: now + 30 * Self.day + Int64(number % 1_440) * Self.minute,
                        everyMinutes: 10_080
                    )
            }
            try advance(client)
            for _ in 1...effort.rounds {
                let time = try timeWithJournal(hub) { try advance(client) }
                figures.firing[count, default: Samples()].add(time.microseconds / Double(firings))
            }
            progress("firings with \(count) triggers")
        }
        await hub.stop()
        await simulated.stop()
    }

    /// Advances the clock by a minute for each firing.
    private func advance(_ client: HubClient) throws {
        let milliseconds = Int64(effort.firings) * Self.minute
        _ = try client.call("clock.advance", #"{"milliseconds":\#(milliseconds)}"#, Clock.self)
    }

    /// Measures the start of a hub on the system's clock with many triggers, and its processor time without anything to do.
    mutating func measureIdleHub() async throws {
        let runFolder = try makeFolder("idle")
        let (data, socket) = (runFolder.appending(path: "hub"), runFolder.appending(path: "hub.sock").path)
        let simulated = try await SimulatedHome(servers: homes, hearth, folder: runFolder)
        var hub = try await HubProcess(hearth, data: data, socket: socket)
        figures.idleWithoutTriggers.add(try await addDistantTriggers(simulated, socket, hub))
        for round in 1...effort.rounds {
            await hub.stop()
            hub = try await HubProcess(hearth, data: data, socket: socket)
            figures.start.add(hub.timeToReady.milliseconds)
            _ = hub.clock.settled()
            figures.memory.add(try ProcessMemory(of: hub.process.processIdentifier).resident)
            progress("start with many triggers \(round)/\(effort.rounds)")
        }
        try await Task.sleep(for: effort.idle / 2)
        for round in 1...effort.rounds {
            figures.idle.add(try await idleShare(of: hub))
            progress("idle hub \(round)/\(effort.rounds)")
        }
        await hub.stop()
        await simulated.stop()
    }

    /// Adds timers, times of day and sunsets that are hours away.
    ///
    /// - Returns: The processor time of the idle hub before, in percent of a core.
    private func addDistantTriggers(
        _ simulated: SimulatedHome,
        _ socket: String,
        _ hub: HubProcess
    ) async throws -> Double {
        let client = try HubClient(path: socket)
        var homes = try await Homes(client, simulated) { await characteristics(HMCharacteristicTypePowerState, socket) }
        // The hub looks for accessories more often at first.
        try await Task.sleep(for: effort.idle / 2)
        let idle = try await idleShare(of: hub)
        let now = try client.call("clock.get", "{}", Clock.self).milliseconds / Self.minute * Self.minute
        let hour = Int(now / (60 * Self.minute) % 24)
        // A place where it is noon.
        let longitude = (12 - hour) * 15
        for (home, _) in homes.homes {
            let place = #"{"latitude":0,"longitude":\#(longitude)}"#
            try client.call("home.setPlace", #"{"home":"\#(home.id)","place":\#(place)}"#)
        }
        try homes.fill(to: effort.triggers.last ?? 0) { number in
            switch number % 3 {
            case 0: TriggerDefinition.timer(at: now + Self.day + Int64(number) * Self.minute, everyMinutes: 1_440)
            case 1: TriggerDefinition.daily(hour: (hour + 6 + number % 12) % 24, minute: number % 60)
            default: TriggerDefinition.sunset(offset: number % 120)
            }
        }
        return idle
    }

    /// Returns the processor time of a hub that has nothing to do, in percent of a core.
    private func idleShare(of hub: HubProcess) async throws -> Double {
        let before = hub.clock.settled()
        let start = ContinuousClock.now
        try await Task.sleep(for: effort.idle)
        return (hub.clock.now - before) / (ContinuousClock.now - start) * 100
    }
}
