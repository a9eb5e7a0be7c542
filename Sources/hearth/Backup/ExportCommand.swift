import ArgumentParser
import Foundation
import HomeModel
import HubAPI

/// `hearth export`: the homes as text.
struct ExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Print all homes as text: a line for each room, accessory, scene …",
        discussion: """
            Equal homes are equal texts, so “diff” shows what has changed, and the text does well under version control. It holds \
            no secrets, and so is no backup: see “hearth backup”.

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
