import AccessorySimulator
import ArgumentParser
import HAPCatalog
import HAPServer

/// `hearth sim library`: the ready accessories.
struct SimLibraryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "library",
        abstract: "List the ready accessories, or print the file of one.",
        discussion: """
            “hearth simulator --library NAME” runs one as it is. For one of your own, print its file and change that.

            Example: hearth sim library garage-door > my-door.json
            """
    )

    /// What is printed of an accessory as JSON.
    private struct Entry: Encodable {
        var name: String
        var category: String
        var accessory: String
        var services: [String]
    }

    @Argument(help: "A name of the list.") var name: String?
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
