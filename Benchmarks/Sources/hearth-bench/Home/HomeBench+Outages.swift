import Foundation
import PeerProcess

/// Measures hubs that restart and accessories that all disconnect at the same time, with subscribed apps.
extension HomeBench {
    /// The number of apps. Each is subscribed to one characteristic of every accessory.
    static let subscribers = 20

    mutating func measureOutages() async throws {
        let runFolder = try makeFolder("outages")
        let (data, socket) = (runFolder.appending(path: "hub"), runFolder.appending(path: "hub.sock").path)
        var home = try await SimulatedHome(richAccessories: effort.richAccessories, hearth, folder: runFolder)
        var hub = try await HubProcess(hearth, data: data, socket: socket)
        _ = try home.add(to: try HubClient(path: socket), named: "Villa")
        _ = hub.clock.settled()
        var apps: [PeerProcess] = []
        var used: [Double] = []
        for number in 1...Self.subscribers {
            let (process, report) = try await SubscribedApp.start(number, on: socket)
            apps.append(process)
            used.append(report.milliseconds)
        }
        progress("\(Self.subscribers) apps with \(effort.richAccessories) notifications each")
        for round in 1...effort.rounds {
            hub.process.kill(SIGKILL)
            await hub.process.exit()
            for (index, app) in apps.enumerated() {
                used[index] = try await SubscribedApp.report(of: app, .off).milliseconds
            }
            let start = ContinuousClock.now
            hub = try await HubProcess(hearth, data: data, socket: socket)
            for (index, time) in try await untilOn(apps).enumerated() {
                figures.restartAppTime.add(time - used[index])
                used[index] = time
            }
            figures.restart.add((ContinuousClock.now - start).milliseconds)

            let before = hub.clock.settled()
            await home.kill()
            var appTime = 0.0
            for (index, app) in apps.enumerated() {
                let time = try await SubscribedApp.report(of: app, .off).milliseconds
                appTime = max(appTime, time - used[index])
            }
            figures.outage.add(perAccessory(appTime + (hub.clock.settled() - before).milliseconds))
            let gone = hub.clock.now
            try home.restart()
            let times = try await untilOn(apps)
            used = times
            figures.recovery.add(perAccessory((hub.clock.settled() - gone).milliseconds))
            progress("restart and outage \(round)/\(effort.rounds)")
        }
        for app in apps { await app.terminate() }
        await hub.stop()
        await home.stop()
    }

    private func untilOn(_ apps: [PeerProcess]) async throws -> [Double] {
        var times: [Double] = []
        for app in apps { times.append(try await SubscribedApp.report(of: app, .on).milliseconds) }
        return times
    }

    private func perAccessory(_ milliseconds: Double) -> Double {
        milliseconds / Double(effort.richAccessories)
    }
}
