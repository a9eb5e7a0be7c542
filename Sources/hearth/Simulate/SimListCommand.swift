import AccessorySimulator
import ArgumentParser
import Foundation

/// `hearth sim list`: lists the accessories of a simulator.
struct SimListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the simulated accessories.",
        discussion: "Example: hearth sim list --data sim"
    )

    /// The simulator's reply.
    struct Answer: Codable {
        var accessories: [AccessorySummary]
    }

    @OptionGroup var options: SimulatorOptions

    func run() async throws {
        let accessories = try await SimulatorClient(options).call("accessory.list", as: Answer.self).accessories
        if options.json {
            JSONLine(accessories).print()
            return
        }
        var table = Table()
        for accessory in accessories {
            if let id = accessory.id {
                let pairing = accessory.isPaired == true ? "paired" : "code \(accessory.setupCode ?? "–")"
                let port = accessory.port.map { "port \($0)" } ?? ""
                table.add(accessory.name, accessory.serialNumber, accessory.category ?? "", id, port, pairing)
            } else {
                table.add("  \(accessory.name)", accessory.serialNumber)
            }
        }
        table.print()
    }
}
