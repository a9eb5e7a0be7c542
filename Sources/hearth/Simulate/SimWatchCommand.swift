import AccessorySimulator
import ArgumentParser
import Foundation
import HAP
import HAPCatalog

/// `hearth sim watch`: tells of everything that happens to simulated accessories.
struct SimWatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Print what apps and hands change, until Ctrl-C.",
        discussion: "Example: hearth sim watch --data sim --json"
    )

    @OptionGroup var options: SimulatorOptions

    func run() async throws {
        let client = try SimulatorClient(options)
        var position = try await client.call("event.next", as: ControlEvents.self).next
        // A reader that waits for this line misses nothing that comes after it.
        if options.json { JSONLine(["event": "watching"]).print() }
        while true {
            let news = try await client.call("event.next", as: ControlEvents.self) { writer in
                writer.member("after", position)
            }
            if news.missed > 0 { ProgramOutput.note("\(news.missed) events were missed.") }
            for event in news.events {
                if options.json { JSONLine(event).print() } else { ProgramOutput.line(Self.text(of: event)) }
            }
            position = news.next
        }
    }

    private static func text(of event: ControlEvent) -> String {
        let name = event.accessory ?? event.serialNumber ?? ""
        switch event.event {
        case "value":
            let definition = event.characteristic.flatMap { CharacteristicDefinition.named($0) }
            let value = event.value.map { value in definition?.name(of: value) ?? "\(value)" } ?? "–"
            let writer = event.controller.map { "app \($0)" } ?? "by itself or by hand"
            return "\(name)  \(event.service ?? "")/\(event.characteristic ?? "")  \(value)  \(writer)"
        case "pairing":
            return "\(name)  \(event.isPaired == true ? "paired" : "unpaired")"
        default:
            return "\(name)  \(event.event)"
        }
    }
}
