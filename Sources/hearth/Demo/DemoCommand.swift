import AccessorySimulator
import ArgumentParser
import Foundation
import HomeKit
import HubClient
import HubServer
import LocalRPCSockets
import WebServer

/// `hearth demo`: runs a complete simulated home that needs no configuration.
struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Run a simulated home and show its state.",
        discussion: """
            Starts a simulator and a hub on the loopback interface, finds the accessories by mDNS, pairs them with \
            their setup codes, adds rooms, zones, automations and Ann, a guest with a laptop of her own, and shows the home \
            with its values until Ctrl-C. Removes all its data when it stops.

            Example: hearth demo --once
            """
    )

    @Flag(help: "Show the home once and exit.")
    var once = false

    @Option(help: ArgumentHelp("The folder of the home's files (default: Examples/DemoHome).", valueName: "dir"))
    var files: String?

    @Option(
        help: ArgumentHelp("Where to serve the home's page (default: a free port).", valueName: "[host:]port")
    )
    var http = "127.0.0.1:0"

    @OptionGroup
    var logging: LogOptions

    func validate() throws {
        guard let address = HTTPAddress(http), address.isLoopback else {
            throw ValidationError("--http must be a port on 127.0.0.1, or an address such as [::1]:8080.")
        }
    }

    @MainActor
    func run() async throws {
        let folder = try DemoHome.folder(given: files)
        let description = try DemoHome.read(from: folder)
        let shutdown = ShutdownSignal()
        Self.progress("Starting \(description.files.count) accessory servers and a hub")
        // The screen shows the home, so the log is off by default.
        let log = logging.logger(otherwise: .error, json: false)
        let demo = try await DemoEnvironment.build(
            description,
            files: folder,
            http: once ? nil : HTTPAddress(http),
            log: log
        )
        let screenTask = Task { try await show(description, on: demo) }
        let shutdownTask = Task {
            await shutdown.wait()
            screenTask.cancel()
        }
        let result = await screenTask.result
        shutdownTask.cancel()
        await demo.tearDown()
        do {
            try result.get()
        } catch is CancellationError {
            Self.progress("Stopped")
        }
    }

    @MainActor
    private func show(_ description: DemoHome, on demo: DemoEnvironment) async throws {
        let environment = HomeKitEnvironment(
            app: "hearth.demo",
            purpose: "Shows the demo home.",
            transport: { [socket = demo.socket] in UnixSocketTransport(path: socket) }
        )
        let start = ContinuousClock.now
        let app = HomeKitEnvironment.$current.withValue(environment) { DemoSetup(progress: Self.progress) }
        let home = try await app.setUp(description, accessories: demo.accessories.map(\.name), labels: demo.labels)
        for sentence in try await description.automations?.add(to: demo.socket) ?? [] {
            Self.progress("Added \(sentence)")
        }
        let guest = try await demo.addGuest()
        defer { guest.close() }
        Self.progress("Added \(guest.sentence)")
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        Self.progress("Set up \(home.accessories.count) accessories in \(String(format: "%.1f", seconds)) s")

        let screen = DemoScreen(socket: once ? nil : demo.socket)
        screen.simulatorPage = demo.simulatorPage?.url
        screen.show(home)
        guard !once else { return }
        let (changes, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        app.onChange = { continuation.yield() }
        // A code is valid for a minute, and the screen always shows a valid one.
        let codes = Task {
            repeat {
                screen.login = await demo.createLogin()
                continuation.yield()
                try await Task.sleep(for: .seconds(45))
            } while screen.isTerminal
        }
        defer { codes.cancel() }
        for await _ in changes { screen.show(home) }
        try Task.checkCancellation()
    }

    private static func progress(_ line: String) {
        ProgramOutput.note(line)
    }
}
