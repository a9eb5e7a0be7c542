import ArgumentParser
import Foundation
import HAPCatalog
import HomeModel
import HubAPI

/// `hearth watch`: prints the events of the homes.
struct WatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Print events as JSON lines until Ctrl-C.",
        discussion: "Example: hearth watch"
    )

    /// One line of output. Properties that don't apply are left out.
    private struct OutputEvent: Encodable {
        var event: String
        var home: String?
        var verb: String?
        var subjects: [String]?
        /// The names of the subjects that still exist.
        var names: [String]?
        var accessory: String?
        var characteristic: String?
        var value: CharacteristicValue?
        var isReachable: Bool?
        var cause: String?
        /// The cause as a code.
        var trouble: AccessoryTrouble?
        var question: Question?
    }

    @OptionGroup var options: ClientOptions

    func run() async throws {
        let client = try await HomeClient(options)
        for home in client.view.account.homes {
            let all = NotifyCharacteristics(home: home.id, characteristics: nil, enabled: true)
            _ = try await client.call(HubMethods.notify, all)
        }
        _ = try await client.call(HubMethods.questions, Empty())
        // A reader that waits for this line misses no later event.
        JSONLine(OutputEvent(event: "watching")).print()
        for await event in client.events {
            let view = client.view
            for line in lines(for: event, view) { JSONLine(line).print() }
            if case .change(let change) = event, change.change.verb == .homeAdded {
                for home in change.change.subjects {
                    let all = NotifyCharacteristics(home: home, characteristics: nil, enabled: true)
                    _ = try? await client.call(HubMethods.notify, all)
                }
            }
        }
        throw CommandFailure(HubError.Code.connectionLost.rawValue, "The hub closed the connection.")
    }

    private func lines(for event: HubEvent, _ view: HubState) -> [OutputEvent] {
        switch event {
        case .change(let change):
            let home = change.home.map { name(of: $0, view) }
            let subjects = change.change.subjects.map(\.uuidString)
            let names = change.change.subjects.compactMap { name(of: $0, in: change.home, view) }
            let verb = change.change.verb.rawValue
            return [OutputEvent(event: "change", home: home, verb: verb, subjects: subjects, names: names)]
        case .values(let updates):
            return updates.map { update in
                var line = OutputEvent(event: "value", home: name(of: update.home, view), value: update.value)
                let home = view.homes[update.home]
                if let home, let record = home.accessories[id: update.characteristic.accessory] {
                    let shapes = home.services(of: record).flatMap(\.characteristics)
                    line.accessory = record.name
                    line.characteristic = shapes.first { $0.iid == update.characteristic.iid }?.displayName
                }
                return line
            }
        case .reachability(let updates):
            return updates.map { update in
                OutputEvent(
                    event: "reachability",
                    home: name(of: update.home, view),
                    accessory: view.homes[update.home]?.accessories[id: update.accessory]?.name,
                    isReachable: update.isReachable,
                    cause: update.cause,
                    trouble: update.trouble
                )
            }
        case .asked(let question):
            let home = question.home.map { name(of: $0, view) }
            return [OutputEvent(event: "question", home: home, question: question)]
        case .homeGone(let id):
            return [OutputEvent(event: "homeGone", subjects: [id.uuidString])]
        case .reset, .resumed, .discovered, .discoveryLost, .questionClosed, .runs, .journal:
            return []
        }
    }

    private func name(of subject: UUID, in home: UUID?, _ view: HubState) -> String? {
        guard let home = home.flatMap({ view.homes[$0] }) else { return view.account.home(subject)?.name }
        if let name = home.roomName(subject) ?? home.zones[id: subject]?.name ?? home.accessories[id: subject]?.name {
            return name
        }
        return home.serviceGroups[id: subject]?.name ?? home.actionSet(subject)?.name
            ?? home.triggers[id: subject]?.name ?? home.users[id: subject]?.name
    }

    private func name(of home: UUID, _ view: HubState) -> String {
        view.account.home(home)?.name ?? home.uuidString
    }
}
