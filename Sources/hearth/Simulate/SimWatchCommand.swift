import AccessorySimulator
import ArgumentParser
import Foundation
import HAP
import HAPCatalog

/// `hearth sim watch`: prints the events of simulated accessories.
struct SimWatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Print changes of simulated accessories until Ctrl-C.",
        discussion: "Example: hearth sim watch --data sim --json"
    )

    @OptionGroup var options: SimulatorOptions

    func run() async throws {
        let client = try SimulatorClient(options)
        var position = try await client.call("event.next", as: ControlEvents.self).next
        // A reader that waits for this line misses no later event.
        if options.json { JSONLine(["event": "watching"]).print() }
        while true {
            let events = try await client.call("event.next", as: ControlEvents.self) { writer in
                writer.member("after", position)
            }
            if events.missed > 0 { ProgramOutput.note("\(events.missed) events were missed.") }
            for event in events.events {
                if options.json { JSONLine(event).print() } else { ProgramOutput.line(Self.text(of: event)) }
            }
            position = events.next
        }
    }

    private static func text(of event: ControlEvent) -> String {
        let name = event.accessory ?? event.serialNumber ?? ""
        switch event.event {
        case "value":
            let definition = event.characteristic.flatMap { CharacteristicDefinition.named($0) }
            let value = event.value.map { value in definition?.name(of: value) ?? "\(value)" } ?? "–"
            let writer = event.controller.map { "app \($0)" } ?? "automatically or manually"
            return "\(name)  \(event.service ?? "")/\(event.characteristic ?? "")  \(value)  \(writer)"
        case "pairing":
            return "\(name)  \(event.isPaired == true ? "paired" : "unpaired")"
        default:
            return "\(name)  \(event.event)"
        }
    }
}
