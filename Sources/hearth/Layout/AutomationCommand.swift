import ArgumentParser
import Foundation
import HomeModel
import HomeText
import HubAPI

/// `hearth automation`: manages the triggers of a home.
struct AutomationCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "automation",
        abstract: "List, add, change, test and remove automations.",
        discussion: "Example: hearth automation add Evening \"at 19:00 on weekdays\" --scene \"Movie Night\"",
        subcommands: [
            List.self, AutomationAddCommand.self, AutomationEditCommand.self, AutomationTestCommand.self,
            RemoveSubcommand<AutomationResource>.self, RenameSubcommand<AutomationResource>.self,
            Enable.self, Disable.self,
            AddScene.self, RemoveScene.self,
        ]
    )

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the automations with their triggers and scenes."
        )
        @OptionGroup var options: ClientOptions

        private struct Row: Encodable {
            var id: UUID
            var name: String
            var isEnabled: Bool
            var when: String
            var sentence: String
            /// When it runs next; left out if that depends on events of other kinds.
            var next: Date?
            var definition: TriggerDefinition
            var scenes: [String]
        }

        func run() async throws {
            let client = try await HomeClient(options)
            let named = try client.home()
            let home = named.home
            let sentences = named.sentences(at: try await HubTime(of: client))
            var rows: [Row] = []
            for trigger in home.triggers {
                var row = Row(
                    id: trigger.id,
                    name: trigger.name,
                    isEnabled: trigger.isEnabled,
                    when: sentences.when(trigger.definition),
                    sentence: sentences.text(trigger),
                    definition: trigger.definition,
                    scenes: trigger.actionSets.compactMap { home.actionSet($0) }.map { scene in
                        scene.type == .triggerOwned ? "its own actions" : scene.name
                    }
                )
                if options.json, trigger.isEnabled {
                    let target = ItemTarget(home: home.id, id: trigger.id)
                    row.next = try? await client.call(HubMethods.testTrigger, target).next
                }
                rows.append(row)
            }
            if options.json {
                JSONLine(rows).print()
            } else {
                var table = Table()
                for row in rows {
                    let scenes = row.scenes.joined(separator: ", ")
                    table.add(row.name, row.isEnabled ? "enabled" : "disabled", row.when, scenes)
                }
                table.print()
            }
        }
    }

    struct Enable: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "enable", abstract: "Enable an automation.")
        @OptionGroup var options: ClientOptions
        @Argument var name: String

        func run() async throws { try await AutomationCommand.enable(name, true, options) }
    }

    struct Disable: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "disable",
            abstract: "Disable an automation."
        )
        @OptionGroup var options: ClientOptions
        @Argument var name: String

        func run() async throws { try await AutomationCommand.enable(name, false, options) }
    }

    struct AddScene: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add-scene",
            abstract: "Add a scene to an automation."
        )
        @OptionGroup var options: ClientOptions
        @Argument var name: String
        @Argument var scene: String

        func run() async throws {
            try await AutomationCommand.change(
                HubMethods.addActionSetToTrigger,
                AddActionSetToTrigger.init,
                name,
                scene,
                options
            )
        }
    }

    struct RemoveScene: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove-scene",
            abstract: "Remove a scene from an automation."
        )
        @OptionGroup var options: ClientOptions
        @Argument var name: String
        @Argument var scene: String

        func run() async throws {
            try await AutomationCommand.change(
                HubMethods.removeActionSetFromTrigger,
                RemoveActionSetFromTrigger.init,
                name,
                scene,
                options
            )
        }
    }

    private static func enable(_ name: String, _ isEnabled: Bool, _ options: ClientOptions) async throws {
        let client = try await HomeClient(options)
        let home = try client.home()
        let parameters = InHome(home.home.id, EnableTrigger(try home.automation(name).id, isEnabled))
        _ = try await client.call(HubMethods.enableTrigger, parameters)
        ChangeOutput.print(options)
    }

    private static func change<Request>(
        _ method: Method<InHome<Request>, Empty>,
        _ request: (_ actionSet: UUID, _ trigger: UUID) -> Request,
        _ name: String,
        _ scene: String,
        _ options: ClientOptions
    ) async throws {
        let client = try await HomeClient(options)
        let home = try client.home()
        let (trigger, actionSet) = (try home.automation(name).id, try home.scene(scene).id)
        _ = try await client.call(method, InHome(home.home.id, request(actionSet, trigger)))
        ChangeOutput.print(options)
    }
}

/// The automations of a home, for the subcommands that all named objects share.
enum AutomationResource: NamedResource {
    static let noun = "an automation"
    static let removalNote = ", keeping its scenes"
    static let remove = HubMethods.removeTrigger
    static let rename = HubMethods.renameTrigger

    static func id(named name: String, in home: NamedHome) throws(CommandFailure) -> UUID {
        try home.automation(name).id
    }
}
