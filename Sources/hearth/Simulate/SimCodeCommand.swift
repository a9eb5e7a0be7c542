import AccessorySimulator
import ArgumentParser
import Foundation
import HAP

/// `hearth sim code`: shows an accessory's setup code.
struct SimCodeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "code",
        abstract: "Show an accessory's setup code.",
        discussion: """
            On a terminal, also prints the QR code.

            Example: hearth sim code "Garage Door Opener" --data sim
            """
    )

    /// The JSON output.
    private struct Code: Encodable {
        var setupCode: String
        var setupPayload: String
    }

    @OptionGroup var options: SimulatorOptions
    @Argument(help: "The accessory or bridge.") var accessory: String
    @Flag(help: "Always print the QR code.") var qr = false

    func validate() throws {
        guard !qr || !options.json else {
            throw ValidationError("Use either --qr or --json. The JSON contains the payload of the QR code.")
        }
    }

    func run() async throws {
        let detail = try await SimulatorClient(options).call("accessory.show", as: AccessoryDetail.self) { writer in
            writer.member("accessory", accessory)
        }
        guard let code = detail.summary.setupCode, let payload = detail.summary.setupPayload else {
            throw CommandFailure("notFound", "“\(detail.summary.name)” is bridged. Use the bridge's code.")
        }
        if options.json {
            JSONLine(Code(setupCode: code, setupPayload: payload)).print()
        } else {
            ProgramOutput.line("\(code)  \(payload)")
            if qr || ProgramOutput.isTerminal { ProgramOutput.qrCode(payload) }
        }
    }
}
