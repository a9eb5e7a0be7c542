import AccessorySimulator
import ArgumentParser
import Foundation
import HAP
import HAPCatalog
import HomeModel
import HomeText

/// `hearth sim show`: shows an accessory with its services and values.
struct SimShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show an accessory's services, characteristics, IDs and values.",
        discussion: "Example: hearth sim show \"Garage Door Opener\" --data sim"
    )

    @OptionGroup var options: SimulatorOptions
    @Argument(help: "The accessory.") var accessory: String

    func run() async throws {
        let detail = try await SimulatorClient(options).call("accessory.show", as: AccessoryDetail.self) { writer in
            writer.member("accessory", accessory)
        }
        if options.json {
            JSONLine(detail).print()
            return
        }
        ProgramOutput.line("\(detail.summary.name)  \(detail.summary.serialNumber)  aid \(detail.aid)")
        for service in detail.services {
            let marks = (service.isPrimary ? "  primary" : "") + (service.isHidden ? "  hidden" : "")
            let type = service.key == service.type ? "" : "  \(service.type)"
            ProgramOutput.line("\(service.key)\(type)  iid \(service.iid)\(marks)")
            var table = Table()
            for characteristic in service.characteristics {
                table.add(
                    "\(characteristic.metadata.manufacturerDescription ?? characteristic.name)",
                    "iid \(characteristic.iid)",
                    characteristic.permissions.description,
                    characteristic.values.text(of: characteristic.value)
                )
            }
            table.print(indented: true)
        }
    }
}

extension CharacteristicDetail {
    /// The characteristic's values in words.
    var values: ValueText { ValueText(type, metadata) }
}
