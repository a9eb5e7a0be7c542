import ArgumentParser
import Foundation
import HAPCatalog
import HomeModel
import HomeText
import HubAPI

/// `hearth watch`: prints the events of the homes.
struct WatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Print what happens until Ctrl-C.",
        discussion: """
            Prints the entries of the journal as they are recorded, and questions that wait for an answer. With --json, \
            prints every event as a line of JSON, measurements too.

            Example: hearth watch
            """
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
        /// An entry of the journal.
        var entry: JournalRow?
    }

    @OptionGroup var options: ClientOptions

    func run() async throws {
        let client = try await HomeClient(options)
        for home in client.view.account.homes {
            let all = NotifyCharacteristics(home: home.id, characteristics: nil, enabled: true)
            _ = try await client.call(HubMethods.notify, all)
        }
        _ = try await client.call(HubMethods.questions, Empty())
        do throws(HubError) {
            _ = try await client.call(HubMethods.followJournal, Empty())
        } catch {
            // An older hub has no journal. Its other events are printed all the same.
            guard error.code == .unknownMethod, options.json else { throw error }
        }
        let time = try await HubTime(of: client)
        // A reader that waits for this line misses no later event.
        if options.json {
            JSONLine(OutputEvent(event: "watching")).print()
        } else {
            ProgramOutput.line("Watching. Press Ctrl-C to end.")
        }
        for await event in client.events {
            let view = client.view
            if options.json {
                for line in lines(for: event, view, time) { JSONLine(line).print() }
            } else if let line = Self.text(of: event, view, time) {
                ProgramOutput.line(line)
            }
            if case .change(let change) = event, change.change.verb == .homeAdded {
                for home in change.change.subjects {
                    let all = NotifyCharacteristics(home: home, characteristics: nil, enabled: true)
                    _ = try? await client.call(HubMethods.notify, all)
                }
            }
        }
        throw CommandFailure(HubError.Code.connectionLost.rawValue, "The hub closed the connection.")
    }

    /// Returns an event as a line for people; `nil` for events that aren't in the journal.
    private static func text(of event: HubEvent, _ view: HubState, _ time: HubTime) -> String? {
        switch event {
        case .journal(let entry):
            let sentences = JournalSentence(timeZone: time.timeZone, now: entry.time)
            return JournalLine(sentences: sentences, time: time, home: view.homes[entry.home]).text(entry)
        case .asked(let question):
            return "Question: \(question.text) Answer it with: hearth questions"
        case .change(let change) where change.home == nil && change.change.verb == .deviceAdded:
            let names = change.change.addedDevices.map { "“\($0.name)”" }
            return names.isEmpty ? nil : "\(names.joined(separator: ", ")) is now one of your devices."
        case .standing(let standing):
            let homes = standing.homes.map { "“\(view.account.home($0)?.name ?? $0.uuidString)”" }.joined(
                separator: ", "
            )
            switch standing.state {
            case .near where standing.isRelayed == true:
                return "The hub of \(homes) is in reach, through its relay."
            case .near: return "The hub of \(homes) is in reach."
            case .gone: return "This device no longer belongs to \(homes)."
            default: return "The hub of \(homes) is out of reach."
            }
        default:
            return nil
        }
    }

    private func lines(for event: HubEvent, _ view: HubState, _ time: HubTime) -> [OutputEvent] {
        switch event {
        case .change(let change):
            let home = change.home.map { name(of: $0, view) }
            let subjects = change.change.subjects.map(\.uuidString)
            let names =
                change.change.subjects.compactMap { name(of: $0, in: change.home, view) }
                + change.change.addedDevices.map(\.name)
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
        case .journal(let entry):
            let row = JournalRow(entry, JournalSentence(timeZone: time.timeZone, now: entry.time))
            return [OutputEvent(event: "journal", home: name(of: entry.home, view), entry: row)]
        case .standing(let standing):
            let names = standing.homes.map { name(of: $0, view) }
            let subjects = [standing.hub.uuidString]
            return [OutputEvent(event: "standing", subjects: subjects, names: names, cause: standing.state.rawValue)]
        case .reset, .resumed, .discovered, .discoveryLost, .unconfigured, .unconfiguredLost, .questionClosed, .runs,
            .setupProgress, .deviceMessage, .feed, .media:
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

extension Change {
    /// The devices that the change adds.
    fileprivate var addedDevices: [AccountDeviceRecord] {
        guard verb == .deviceAdded else { return [] }
        return effects.compactMap { if case .put(.accountDevice(let device)) = $0 { device } else { nil } }
    }
}
