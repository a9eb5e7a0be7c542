import Foundation
import Glibc
import HomeKit
import PeerProcess

/// An app in a separate process. It enables notifications of one characteristic of every accessory once, and reports
/// when they are off and when all are on again.
final class SubscribedApp: NSObject, HMHomeManagerDelegate, HMAccessoryDelegate, @unchecked Sendable {
    // @unchecked: its state is used only on the main queue, where managers call back.

    /// The argument that runs the program as this app.
    static let argument = "subscribe-app"

    /// The app's report.
    struct Report: Codable, Sendable {
        enum Event: String, Codable, Sendable {
            /// All notifications are on, for the first time or again.
            case on
            /// No notification is on.
            case off
        }

        var event: Event
        /// The process's total processor time so far.
        var milliseconds: Double
    }

    private var manager: HMHomeManager?
    /// The characteristic of each accessory.
    private var watched: [UUID: HMCharacteristic] = [:]
    private var enabled: Set<UUID> = []
    private let clock: ProcessorClock

    private init(_ clock: ProcessorClock) {
        self.clock = clock
    }

    /// Runs the app until the end of standard input.
    static func run() async throws {
        let app = SubscribedApp(try ProcessorClock(of: getpid()))
        DispatchQueue.main.async {
            app.manager = HMHomeManager()
            app.manager?.delegate = app
        }
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            Thread.detachNewThread {
                while readLine() != nil {}
                continuation.resume()
            }
        }
    }

    /// Starts an app and waits until it has enabled all notifications.
    ///
    /// - Returns: The process, and its report.
    static func start(_ number: Int, on socket: String) async throws -> (process: PeerProcess, report: Report) {
        let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        let environment = ["HEARTH_SOCKET": socket, "HEARTH_APP": "hearth.bench.app\(number)"]
        let process = try PeerProcess(program, [argument], environment: environment)
        return (process, try await report(of: process, .on))
    }

    /// Waits for a process's report.
    static func report(of process: PeerProcess, _ event: Report.Event) async throws -> Report {
        try await process.json(Report.self, "the app's notifications", within: .seconds(120)) { $0.event == event }
    }

    func homeManagerDidUpdateHomes(_ manager: HMHomeManager) {
        guard watched.isEmpty else { return }
        for accessory in manager.homes.flatMap(\.accessories) {
            let characteristics = accessory.services.lazy.flatMap(\.characteristics)
            guard let brightness = characteristics.first(where: Self.isBrightness) else { continue }
            accessory.delegate = self
            watched[accessory.uniqueIdentifier] = brightness
        }
        for (id, brightness) in watched {
            brightness.enableNotification(true) { error in
                if error == nil { self.note(id, isOn: true) }
            }
        }
    }

    func accessoryDidUpdateReachability(_ accessory: HMAccessory) {
        guard let brightness = watched[accessory.uniqueIdentifier] else { return }
        note(accessory.uniqueIdentifier, isOn: brightness.isNotificationEnabled)
    }

    private static func isBrightness(_ characteristic: HMCharacteristic) -> Bool {
        characteristic.characteristicType == HMCharacteristicTypeBrightness
    }

    private func note(_ accessory: UUID, isOn: Bool) {
        if isOn {
            guard enabled.insert(accessory).inserted, enabled.count == watched.count else { return }
            report(.on)
        } else {
            guard enabled.remove(accessory) != nil, enabled.isEmpty else { return }
            report(.off)
        }
    }

    private func report(_ event: Report.Event) {
        let report = Report(event: event, milliseconds: clock.now.milliseconds)
        guard let line = try? JSONEncoder().encode(report) else { return }
        FileHandle.standardOutput.write(line + Data("\n".utf8))
    }
}
