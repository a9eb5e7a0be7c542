import ArgumentParser
import Foundation
import HomeModel
import HubAPI

/// A kind of object in a home that has a name and can be renamed and removed.
protocol NamedResource {
    /// The request that removes an object.
    associatedtype Removal: ItemRequest
    /// The request that renames an object.
    associatedtype Renaming: RenameRequest

    /// The kind's name in help texts, such as “a room”.
    static var noun: String { get }
    /// The end of the help text for removal, about related objects.
    static var removalNote: String { get }
    /// The method that removes an object.
    static var remove: Method<InHome<Removal>, Empty> { get }
    /// The method that renames an object.
    static var rename: Method<InHome<Renaming>, Empty> { get }
    /// Returns the ID of the object with a name.
    static func id(named name: String, in home: NamedHome) throws(CommandFailure) -> UUID
}

/// A kind of object that is added by its name alone.
protocol AddableResource: NamedResource {
    /// The request that adds an object.
    associatedtype Addition: NamedAddition

    /// The method that adds an object.
    static var add: Method<InHome<Addition>, AddedItem> { get }
}

/// `add NAME`
struct AddSubcommand<Resource: AddableResource>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(commandName: "add", abstract: "Add \(Resource.noun).")
    }

    @OptionGroup var options: ClientOptions
    @Argument var name: String

    func run() async throws {
        let client = try await HomeClient(options)
        let parameters = InHome(try client.home().home.id, Resource.Addition(id: nil, name: name))
        ChangeOutput(try await client.call(Resource.add, parameters), name).print(options)
    }
}

/// `remove NAME`
struct RemoveSubcommand<Resource: NamedResource>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(commandName: "remove", abstract: "Remove \(Resource.noun)\(Resource.removalNote).")
    }

    @OptionGroup var options: ClientOptions
    @Argument var name: String

    func run() async throws {
        let client = try await HomeClient(options)
        let home = try client.home()
        let target = InHome(home.home.id, Resource.Removal(try Resource.id(named: name, in: home)))
        _ = try await client.call(Resource.remove, target, waitingFor: "“\(name)” to be removed")
        ChangeOutput.print(options)
    }
}

/// `rename NAME NEW-NAME`
struct RenameSubcommand<Resource: NamedResource>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(commandName: "rename", abstract: "Rename \(Resource.noun).")
    }

    @OptionGroup var options: ClientOptions
    @Argument var name: String
    @Argument var newName: String

    func run() async throws {
        let client = try await HomeClient(options)
        let home = try client.home()
        let parameters = InHome(home.home.id, Resource.Renaming(try Resource.id(named: name, in: home), name: newName))
        _ = try await client.call(Resource.rename, parameters)
        ChangeOutput.print(options)
    }
}
