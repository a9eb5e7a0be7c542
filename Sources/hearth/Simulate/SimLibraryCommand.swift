import AccessorySimulator
import ArgumentParser
import HAPCatalog
import HAPServer

/// `hearth sim library`: lists the built-in accessories.
struct SimLibraryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "library",
        abstract: "List built-in accessories, or print one's file.",
        discussion: """
            “hearth simulator --library NAME” runs a built-in accessory. To customize one, print its file and edit it.

            Example: hearth sim library garage-door > my-door.json
            """
    )

    /// The JSON output for an accessory.
    private struct Entry: Encodable {
        var name: String
        var category: String
        var accessory: String
        var services: [String]
    }

    @Argument(help: "The name of a built-in accessory.") var name: String?
    @Flag(help: "Print JSON.") var json = false

    func run() throws {
        if let name {
            ProgramOutput.line(try AccessoryLibrary.file(name))
            return
        }
        for name in AccessoryLibrary.names {
            let description = try AccessoryLibrary.accessory(name)
            let services = description.accessories.flatMap(\.services).map { $0.type }
            let entry = Entry(
                name: name,
                category: description.category.name ?? "",
                accessory: description.name,
                services: services.map { ServiceDefinition.of($0)?.name ?? $0.longForm }
            )
            if json {
                JSONLine(entry).print()
            } else {
                ProgramOutput.line("\(name)  \(entry.category): \(entry.services.joined(separator: ", "))")
            }
        }
    }
}
