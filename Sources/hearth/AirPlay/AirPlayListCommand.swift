import AirPlay
import AirPlayNetwork
import ArgumentParser
import DNSSD

/// `hearth airplay list`: lists the receivers on the network.
struct AirPlayListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the receivers on the network.",
        discussion: "Example: hearth airplay list --json"
    )

    /// The JSON output for a receiver.
    private struct Line: Encodable {
        var name: String
        var id: String
        var host: String
        var port: Int
        var model: String?
        var needsPassword: Bool
        var isEncryptionRequired: Bool
        var supportsAirPlay2: Bool
        var needsPIN: Bool
        var playsAudio: Bool
        var playsVideo: Bool
    }

    @Option(help: ArgumentHelp("The time to wait for answers, in seconds.", valueName: "seconds"))
    var time: Double = 3

    @Option(
        name: .customLong("mdns-interface"),
        help: ArgumentHelp("An interface to look on, by name or address (default: all).", valueName: "name")
    )
    var interfaces: [String] = []

    @Flag(help: "Print JSON lines.")
    var json = false

    func validate() throws {
        guard (0.1...600).contains(time) else { throw ValidationError("--time must be 0.1 to 600 seconds.") }
    }

    func run() async throws {
        let discovery = try await MulticastDNS(interfaces: interfaces.map { InterfaceSelector($0) })
        let browser = ReceiverBrowser(discovery)
        try? await Task.sleep(for: .seconds(time))
        let audio = await browser.receivers
        let receivers = audio + (await browser.videoReceivers)
        await discovery.shutdown()
        var table = Table()
        for (index, receiver) in receivers.enumerated() {
            let record = receiver.record
            let playsAudio = index < audio.count
            if json {
                JSONLine(
                    Line(
                        name: record.name,
                        id: record.deviceID,
                        host: receiver.host,
                        port: receiver.port,
                        model: record.model,
                        needsPassword: record.needsPassword,
                        isEncryptionRequired: !record.acceptsUnencrypted,
                        supportsAirPlay2: record.features.hasAirPlay2,
                        needsPIN: record.needsPIN,
                        playsAudio: playsAudio,
                        playsVideo: receiver.playsVideo
                    )
                )
                .print()
            } else {
                table.add(
                    record.name,
                    "\(receiver.host) port \(receiver.port)",
                    record.model ?? "",
                    record.features.hasAirPlay2 ? "AirPlay 2" : "",
                    record.needsPassword ? "password" : record.needsPIN ? "PIN" : "",
                    record.acceptsUnencrypted || !playsAudio ? "" : "encryption required",
                    receiver.playsVideo ? playsAudio ? "video" : "video only" : ""
                )
            }
        }
        if !json { table.print() }
        if receivers.isEmpty { ProgramOutput.note("No receiver was found.") }
    }
}
