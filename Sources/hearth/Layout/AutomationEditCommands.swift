import ArgumentParser
import Foundation
import HomeModel
import HomeText
import HubAPI

/// `hearth automation add`: adds a trigger with its scenes.
struct AutomationAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add an automation that runs scenes.",
        discussion: """
            WHEN is a time, an event or several joined by “or”, then days, a condition and an end: “at 19:00 on \\
            weekdays”, “20 minutes before sunset if Ann is home”, “when Hall Motion detects motion if it is dark for 10 \\
            minutes”, “every 2 hours from 08:00”. The command prints back what it understood.

            Example: hearth automation add "Evening" "at sunset - 20m if someone is home" --scene "Movie Night"
            """.replacing("\\\n", with: "")
    )
    @OptionGroup var options: ClientOptions
    @Argument(help: "The automation's name.") var name: String
    @Argument(help: "When it runs.") var when: String
    @Option(help: ArgumentHelp("A scene to run; can be given several times.", valueName: "scene")) var scene: [String] =
        []
    @Flag(help: "Add it disabled.") var disabled = false

    func validate() throws {
        if scene.isEmpty { throw ValidationError("Give at least one --scene to run.") }
    }

    func run() async throws {
        let client = try await HomeClient(options)
        let home = try client.home()
        let scenes = try scene.map { (name) throws(CommandFailure) in try home.scene(name) }
        let time = try await HubTime(of: client)
        let definition = try home.definition(when, at: time)
        let id = try await client.addTrigger(
            name,
            definition,
            actionSets: scenes.map(\.id),
            isEnabled: !disabled,
            in: home.home.id
        )
        let record = TriggerRecord(
            id: id,
            name: name,
            isEnabled: !disabled,
            actionSets: scenes.map(\.id),
            definition: definition
        )
        AutomationOutput(record, home, time).print("Added", options)
        AutomationOutput.warn(definition, home)
    }
}

/// `hearth automation edit`: changes when a trigger fires.
struct AutomationEditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Change when an automation runs.",
        discussion: """
            WHEN replaces all times, events, days, conditions and ends; the scenes stay. See “hearth automation add \
            --help” for what can be written.

            Example: hearth automation edit "Evening" "at 19:30 on weekdays"
            """
    )
    @OptionGroup var options: ClientOptions
    @Argument(help: "The automation.") var name: String
    @Argument(help: "When it runs.") var when: String

    func run() async throws {
        let client = try await HomeClient(options)
        let home = try client.home()
        var record = try home.automation(name)
        let time = try await HubTime(of: client)
        let definition = try home.definition(when, at: time)
        if let edits = TriggerEdit.edits(from: record.definition, to: definition) {
            for edit in edits {
                let request = InHome(home.home.id, EditTrigger(record.id, edit))
                _ = try await client.call(HubMethods.editTrigger, request)
            }
        } else {
            record.id = try await replace(record, definition, home, client)
        }
        record.definition = definition
        AutomationOutput(record, home, time).print("Changed", options)
        AutomationOutput.warn(definition, home)
    }

    /// Replaces a timer by a trigger with events, or the other way round: they are different kinds of objects.
    ///
    /// - Returns: The new trigger's ID.
    private func replace(
        _ old: TriggerRecord,
        _ definition: TriggerDefinition,
        _ home: NamedHome,
        _ client: HomeClient
    ) async throws -> UUID {
        let owned = old.actionSets.contains { home.home.actionSet($0)?.type == .triggerOwned }
        guard !owned else {
            throw CommandFailure(
                "invalidParameter",
                "“\(old.name)” has actions of its own, so it can't change between a timer and events. Add a new automation."
            )
        }
        // The new one exists before the old one goes, so that a failure loses nothing.
        let name = "Automation \(UUID().uuidString.prefix(8))"
        let id = try await client.addTrigger(
            name,
            definition,
            actionSets: old.actionSets,
            isEnabled: old.isEnabled,
            in: home.home.id
        )
        _ = try await client.call(HubMethods.removeTrigger, InHome(home.home.id, RemoveTrigger(old.id)))
        _ = try await client.call(HubMethods.renameTrigger, InHome(home.home.id, RenameTrigger(id, name: old.name)))
        return id
    }
}

extension NamedHome {
    /// Reads when an automation runs, and checks it by the home's rules before anything changes.
    func definition(_ text: String, at time: HubTime) throws -> TriggerDefinition {
        let definition: TriggerDefinition
        do throws(WhenError) {
            definition = try WhenParser.definition(
                of: text,
                in: HomeVocabulary(home),
                now: time.now,
                timeZone: time.timeZone
            )
        } catch {
            throw CommandFailure(error.code.rawValue, error.reason)
        }
        guard let viewer = home.viewer else { return definition }
        let caller = Caller(user: viewer, device: UUID(), app: HubProtocol.commandLineApp, client: UUID())
        let name = "Automation \(UUID().uuidString.prefix(8))"
        _ = try home.decide(AddTrigger(name: name, definition), by: caller, at: time.now)
        return definition
    }
}

extension HomeClient {
    /// Adds a trigger with its action sets. If it can't be enabled, it is removed.
    ///
    /// - Returns: The trigger's ID.
    func addTrigger(
        _ name: String,
        _ definition: TriggerDefinition,
        actionSets: [UUID],
        isEnabled: Bool,
        in home: UUID
    ) async throws(HubError) -> UUID {
        let request = InHome(home, AddTrigger(name: name, definition, actionSets: actionSets))
        let added = try await call(HubMethods.addTrigger, request)
        guard isEnabled else { return added.id }
        do throws(HubError) {
            _ = try await call(HubMethods.enableTrigger, InHome(home, EnableTrigger(added.id, true)))
        } catch {
            _ = try? await call(HubMethods.removeTrigger, InHome(home, RemoveTrigger(added.id)))
            throw error
        }
        return added.id
    }
}

extension TriggerEdit {
    /// Returns the edits that turn a definition into another; `nil` if they are of different kinds.
    static func edits(from old: TriggerDefinition, to new: TriggerDefinition) -> [TriggerEdit]? {
        switch (old, new) {
        case (.timer(let old), .timer(let new)):
            var edits: [TriggerEdit] = []
            if old.timeZone != new.timeZone { edits.append(.timeZone(new.timeZone)) }
            if old.fireDate != new.fireDate { edits.append(.fireDate(new.fireDate)) }
            // A timer without a recurrence must fire in the future, also between two edits.
            if old.recurrence != new.recurrence {
                edits.insert(.recurrence(new.recurrence), at: new.recurrence == nil ? edits.count : 0)
            }
            return edits
        case (.event(let old), .event(let new)):
            var edits: [TriggerEdit] = []
            if old.condition != new.condition { edits.append(.condition(new.condition)) }
            if old.weekdays != new.weekdays { edits.append(.weekdays(new.weekdays)) }
            if old.executesOnce != new.executesOnce { edits.append(.executesOnce(new.executesOnce)) }
            if old.endEvents.map(\.occurrence) != new.endEvents.map(\.occurrence) {
                edits.append(.endEvents(new.endEvents))
            }
            if old.events.map(\.occurrence) != new.events.map(\.occurrence) { edits.append(.events(new.events)) }
            return edits
        default: return nil
        }
    }
}

/// The output of a command that adds or changes an automation.
struct AutomationOutput: Encodable {
    private var id: UUID
    private var name: String
    private var isEnabled: Bool
    /// When it runs, in words that can be given to the command again.
    private var when: String
    /// When it runs and what.
    private var sentence: String

    init(_ record: TriggerRecord, _ home: NamedHome, _ time: HubTime) {
        let sentences = home.sentences(at: time)
        id = record.id
        name = record.name
        isEnabled = record.isEnabled
        when = sentences.when(record.definition)
        sentence = sentences.text(record)
    }

    /// Prints what was understood.
    func print(_ verb: String, _ options: ClientOptions) {
        if options.json {
            JSONLine(self).print()
        } else {
            ProgramOutput.line("\(verb) \(name)\(isEnabled ? "" : " (disabled)"): \(sentence)")
        }
    }

    /// Prints what keeps an automation from running: a home without a place has no sunset.
    static func warn(_ definition: TriggerDefinition, _ home: NamedHome) {
        guard case .event(let rule) = definition, home.home.place == nil else { return }
        let events = (rule.events + rule.endEvents).contains { event in
            if case .sun = event.occurrence { return true }
            return false
        }
        guard events || rule.condition?.dependsOnSun == true else { return }
        ProgramOutput.note(
            "The home has no place on the map, which sunrise and sunset depend on. Set it with: hearth home place LAT LON"
        )
    }
}

extension Condition {
    /// Whether a term compares the time with a moment of the sun.
    fileprivate var dependsOnSun: Bool {
        var depends = false
        _ = mapLeaves { (term) -> Condition? in
            switch term {
            case .sun, .betweenSun: depends = true
            default: break
            }
            return term
        }
        return depends
    }
}
