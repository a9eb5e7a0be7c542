import ArgumentParser
import Foundation
import HAPCatalog
import HomeModel
import HomeText
import HubAPI

/// `hearth scene`: manages the action sets of a home.
struct SceneCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scene",
        abstract: "List, run, add, change and remove scenes.",
        discussion: "Example: hearth scene run \"Movie Night\"",
        subcommands: [
            List.self, SceneRunCommand.self, AddSubcommand<SceneResource>.self, RemoveSubcommand<SceneResource>.self,
            RenameSubcommand<SceneResource>.self,
            SetAction.self, UnsetAction.self, SetIcon.self,
        ]
    )

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the scenes with their actions.",
            discussion: "A scene is on while its accessories have all the values that it sets."
        )
        @OptionGroup var options: ClientOptions

        private struct Row: Encodable {
            var id: UUID
            var name: String
            var type: String
            /// Whether all its values hold; left out if that isn't known.
            var isOn: Bool?
            var icon: String?
            var actions: [ActionRow]
        }

        private struct ActionRow: Encodable {
            var id: UUID
            var accessory: String
            var characteristic: String
            var value: CharacteristicValue
            var text: String
        }

        func run() async throws {
            let client = try await HomeClient(options)
            let home = try client.home().home
            let state = client.view
            let rows = home.actionSets.map { scene in
                Row(
                    id: scene.id,
                    name: scene.name,
                    type: scene.type.rawValue,
                    isOn: state.isOn(scene, in: home.id),
                    icon: scene.icon?.rawValue,
                    actions: scene.actions.compactMap { Self.row(of: $0, in: home) }
                )
            }
            if options.json {
                JSONLine(rows).print()
            } else {
                for row in rows {
                    let name = row.isOn == true ? "\(row.name) (on)" : row.name
                    let actions = row.actions.map(\.text).joined(separator: ", ")
                    ProgramOutput.line("\(name): \(actions.isEmpty ? "no actions" : actions)")
                }
            }
        }

        private static func row(of action: Action, in home: Home) -> ActionRow? {
            guard case .write(let identity, let value) = action.operation, let found = home.characteristic(identity)
            else { return nil }
            let formatted = ValueText(found.shape).text(of: value)
            return ActionRow(
                id: action.id,
                accessory: found.accessory.name,
                characteristic: found.shape.displayName,
                value: value,
                text: "\(found.accessory.name) \(found.shape.displayName) \(formatted)"
            )
        }
    }

    struct SetAction: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "set",
            abstract: "Add an action to a scene, or replace it.",
            discussion: "Example: hearth scene set \"Movie Night\" \"Floor Lamp\" Brightness 20"
        )
        @OptionGroup var options: ClientOptions
        @Argument(help: "The scene.") var scene: String
        @Argument(help: "An accessory or a service.") var name: String
        @Argument(help: "A characteristic's HAP name without spaces, or its UUID.") var characteristic: String
        @Argument(help: "The value.") var value: String

        func run() async throws {
            let client = try await HomeClient(options)
            let home = try client.home()
            let scene = try home.scene(scene)
            let (shape, identity) = try home.characteristic(characteristic, of: name)
            let value = try ValueText(shape).commandValue(of: value, named: shape.displayName)
            if let action = scene.actions.first(where: { $0.characteristic == identity }) {
                let change = InHome(home.home.id, SetActionValue(value, action: action.id, actionSet: scene.id))
                _ = try await client.call(HubMethods.setActionValue, change)
            } else {
                let action = InHome(home.home.id, AddAction(identity, value: value, actionSet: scene.id))
                _ = try await client.call(HubMethods.addAction, action)
            }
            ChangeOutput.print(options)
        }
    }

    struct UnsetAction: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "unset",
            abstract: "Remove an action from a scene."
        )
        @OptionGroup var options: ClientOptions
        @Argument(help: "The scene.") var scene: String
        @Argument(help: "An accessory or a service.") var name: String
        @Argument(help: "A characteristic's HAP name without spaces, or its UUID.") var characteristic: String

        func run() async throws {
            let client = try await HomeClient(options)
            let home = try client.home()
            let scene = try home.scene(scene)
            let (shape, identity) = try home.characteristic(characteristic, of: name)
            guard let action = scene.actions.first(where: { $0.characteristic == identity }) else {
                let reason = "“\(scene.name)” doesn't set \(shape.displayName) of “\(name)”."
                throw CommandFailure("notFound", reason)
            }
            let target = InHome(home.home.id, RemoveAction(action.id, actionSet: scene.id))
            _ = try await client.call(HubMethods.removeAction, target)
            ChangeOutput.print(options)
        }
    }

    struct SetIcon: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "icon",
            abstract: "Set the icon of a scene.",
            discussion: """
                The icons are \(SceneIcon.choices.map(\.rawValue).joined(separator: ", ")); “none” is the default icon.

                Example: hearth scene icon "Movie Night" film
                """
        )
        @OptionGroup var options: ClientOptions
        @Argument(help: "The scene.") var scene: String
        @Argument(help: "The icon.", completion: .list(SceneIcon.choices.map(\.rawValue) + ["none"])) var icon: String

        func run() async throws {
            let client = try await HomeClient(options)
            let home = try client.home()
            let icon = icon == "none" ? nil : SceneIcon(rawValue: icon)
            let request = InHome(home.home.id, SetSceneIcon(icon, of: try home.scene(scene).id))
            _ = try await client.call(HubMethods.setSceneIcon, request)
            ChangeOutput.print(options)
        }
    }
}

/// The scenes of a home, for the subcommands that all named objects share.
enum SceneResource: AddableResource {
    static let noun = "a scene"
    static let removalNote = " from the home and its automations"
    static let add = HubMethods.addActionSet
    static let remove = HubMethods.removeActionSet
    static let rename = HubMethods.renameActionSet

    static func id(named name: String, in home: NamedHome) throws(CommandFailure) -> UUID {
        try home.scene(name).id
    }
}
