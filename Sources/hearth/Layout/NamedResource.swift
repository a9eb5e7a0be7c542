import ArgumentParser
import Foundation
import HomeModel
import HubAPI

/// A sort of thing in a home that has a name and can be removed and renamed.
protocol NamedResource {
    /// What the thing is called in help texts: “a room”.
    static var noun: String { get }
    /// What becomes of the rest when one is removed.
    static var removalNote: String { get }
    /// Removes one.
    static var remove: Method<Target, Empty> { get }
    /// Renames one.
    static var rename: Method<Rename, Empty> { get }
    /// The identity of the one with a name.
    static func id(named name: String, in home: NamedHome) throws(CommandFailure) -> UUID
}

/// A sort of thing that is added by its name alone.
protocol AddableResource: NamedResource {
    /// Adds one.
    static var add: Method<AddNamed, Added> { get }
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
        let parameters = AddNamed(home: try client.home().home.id, name: name)
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
        let target = Target(home: home.home.id, id: try Resource.id(named: name, in: home))
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
        let parameters = Rename(home: home.home.id, id: try Resource.id(named: name, in: home), name: newName)
        _ = try await client.call(Resource.rename, parameters)
        ChangeOutput.print(options)
    }
}
