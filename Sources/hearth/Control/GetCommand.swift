import ArgumentParser
import Foundation
import HAPCatalog
import HomeModel
import HomeText
import HubAPI

/// `hearth get`: reads the values of an accessory or a service.
struct GetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "get",
        abstract: "Read an accessory's or a service's values.",
        discussion: """
            Name a characteristic as HAP does, without spaces (Brightness, TargetDoorState), or by its UUID.

            Example: hearth get "Kitchen Light" Brightness
            """
    )

    /// A characteristic and its value.
    private struct Row: Encodable {
        var accessory: UUID
        var service: String
        var characteristic: String
        var iid: UInt64
        var value: CharacteristicValue?
        var unit: String?
        var error: HubError?
    }

    @OptionGroup var options: ClientOptions
    @Argument(help: "An accessory or a service.") var name: String
    @Argument(help: "A characteristic (default: all user-facing ones).") var characteristic: String?

    func run() async throws {
        let client = try await HomeClient(options)
        let home = try client.home()
        let subject = try home.subject(name)
        let selected: [(service: ServiceShape, shape: CharacteristicShape)]
        if let characteristic {
            let shape = try subject.characteristic(characteristic)
            let service = subject.services.first { $0.characteristics.contains(shape) }
            selected = service.map { [($0, shape)] } ?? []
        } else {
            selected = subject.services.filter(\.isUserFacing).flatMap { service in
                service.characteristics.filter(\.isShown).map { (service, $0) }
            }
        }
        let request = ReadCharacteristics(
            home: home.home.id,
            characteristics: selected.map { subject.reference($0.shape) }
        )
        let results = try await client.call(HubMethods.read, request, waitingFor: "“\(subject.accessory.name)”")
        if selected.count == 1 || !results.outcomes.contains(where: { $0.error == nil }),
            let error = results.outcomes.compactMap(\.error).first
        {
            throw error
        }
        if options.json {
            let rows = zip(selected, results.outcomes).map { selected, outcome in
                Row(
                    accessory: subject.accessory.id,
                    service: selected.service.displayName,
                    characteristic: selected.shape.displayName,
                    iid: selected.shape.iid,
                    value: outcome.value,
                    unit: selected.shape.metadata.unit?.rawValue,
                    error: outcome.error
                )
            }
            JSONLine(rows).print()
        } else {
            show(selected, results.outcomes, of: subject)
        }
    }

    private func show(
        _ selected: [(service: ServiceShape, shape: CharacteristicShape)],
        _ outcomes: [CharacteristicResults.Outcome],
        of subject: Subject
    ) {
        func text(_ shape: CharacteristicShape, _ outcome: CharacteristicResults.Outcome) -> String {
            outcome.error.map { "(\($0.reason))" } ?? ValueText(shape).text(of: outcome.value)
        }
        if characteristic != nil, let (_, shape) = selected.first, let outcome = outcomes.first {
            ProgramOutput.line(text(shape, outcome))
            return
        }
        var table = Table()
        for ((service, shape), outcome) in zip(selected, outcomes) {
            let owner = Home.name(of: service, in: subject.accessory)
            table.add(owner, shape.displayName, text(shape, outcome))
        }
        table.print()
    }
}
