import ArgumentParser
import Foundation
import HomeModel
import HubAPI

/// `hearth export`: prints the homes as text.
struct ExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Print all homes as text.",
        discussion: """
            Prints one line of JSON per room, accessory, scene and so on. The same homes always give the same text, so \
            the output suits diff and version control. It contains no secrets and can't replace a backup; see “hearth \
            backup”.

            Example: hearth export > home.jsonl
            """
    )

    @OptionGroup var options: ClientOptions

    func run() async throws {
        let client = try await HomeClient(options)
        defer { client.close() }
        let view = client.view
        let homes = options.home == nil ? Array(view.homes.values) : [try client.home().home]
        let export = try HomeExport(account: view.account, homes: homes)
        ProgramOutput.line(String(export.text.dropLast()))
    }
}
