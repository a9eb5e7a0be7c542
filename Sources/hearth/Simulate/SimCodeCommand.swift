import AccessorySimulator
import ArgumentParser
import Foundation
import HAP

/// `hearth sim code`: how an accessory is paired.
struct SimCodeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "code",
        abstract: "Show the set-up code of an accessory or bridge.",
        discussion: """
            On a terminal the QR code is drawn as well.

            Example: hearth sim code "Garage Door Opener" --data sim
            """
    )

    /// What is printed as JSON.
    private struct Code: Encodable {
        var setupCode: String
        var setupPayload: String
    }

    @OptionGroup var options: SimulatorOptions
    @Argument(help: "The accessory or bridge.") var accessory: String
    @Flag(help: "Draw the QR code wherever the output goes.") var qr = false

    func validate() throws {
        guard !qr || !options.json else {
            throw ValidationError("--qr draws for people; --json has the payload, which is what the QR code holds.")
        }
    }

    func run() async throws {
        let detail = try await SimulatorClient(options).call("accessory.show", as: AccessoryDetail.self) { writer in
            writer.member("accessory", accessory)
        }
        guard let code = detail.summary.setupCode, let payload = detail.summary.setupPayload else {
            throw CommandFailure("notFound", "“\(detail.summary.name)” is behind a bridge; the bridge has the code.")
        }
        if options.json {
            JSONLine(Code(setupCode: code, setupPayload: payload)).print()
        } else {
            ProgramOutput.line("\(code)  \(payload)")
            if qr || ProgramOutput.isTerminal { ProgramOutput.qrCode(payload) }
        }
    }
}
