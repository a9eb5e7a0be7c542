import AccessorySimulator
import ArgumentParser
import Foundation
import HomeKit
import HubClient

/// `hearth demo`: a living home with nothing to configure.
struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Show a living home: simulated accessories, a hub, and an app that set it up.",
        discussion: """
            Starts a simulator and a hub on loopback, finds the accessories by mDNS, pairs them with their set-up codes, \
            lays out rooms and zones, and shows the home with its values until Ctrl-C. All of it is gone afterwards.

            Example: hearth demo --once
            """
    )

    @Flag(help: "Show the home once and end.")
    var once = false

    @Option(help: ArgumentHelp("The folder of the home's files.", valueName: "dir"))
    var files: String?

    @OptionGroup
    var logging: LogOptions

    @MainActor
    func run() async throws {
        let folder = try DemoHome.folder(given: files)
        let description = try DemoHome.read(from: folder)
        let end = ShutdownSignal()
        Self.progress("Starting \(description.files.count) accessory servers and a hub")
        // The screen shows the home; what goes on behind it is logged when asked for.
        let log = logging.logger(otherwise: .error, json: false)
        let stage = try await DemoEnvironment.build(description, files: folder, log: log)
        let showing = Task { try await show(description, on: stage) }
        let ending = Task {
            await end.wait()
            showing.cancel()
        }
        let result = await showing.result
        ending.cancel()
        await stage.tearDown()
        do {
            try result.get()
        } catch is CancellationError {
            Self.progress("Stopped")
        }
    }

    @MainActor
    private func show(_ description: DemoHome, on stage: DemoEnvironment) async throws {
        let environment = HomeKitEnvironment(
            app: "hearth.demo",
            purpose: "Shows the demo home.",
            transport: { [socket = stage.socket] in UnixSocketTransport(path: socket) }
        )
        let began = ContinuousClock.now
        let app = HomeKitEnvironment.$current.withValue(environment) { DemoSetup(progress: Self.progress) }
        let home = try await app.setUp(description, accessories: stage.accessories.map(\.name), labels: stage.labels)
        let seconds = (ContinuousClock.now - began) / .seconds(1)
        Self.progress("Set up \(home.accessories.count) accessories in \(String(format: "%.1f", seconds)) s")

        let screen = DemoScreen(socket: once ? nil : stage.socket)
        screen.show(home)
        guard !once else { return }
        let (changes, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        app.onChange = { continuation.yield() }
        for await _ in changes { screen.show(home) }
        try Task.checkCancellation()
    }

    private static func progress(_ line: String) {
        ProgramOutput.note(line)
    }
}
