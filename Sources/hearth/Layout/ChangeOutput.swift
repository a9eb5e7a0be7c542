import Foundation
import HubAPI

/// The output of a command that changes something: the name of an added object, and in JSON always an object.
struct ChangeOutput: Encodable {
    private var id: UUID
    private var name: String

    /// Creates the output for an added object.
    init(_ added: AddedItem, _ name: String) {
        id = added.id
        self.name = name
    }

    /// Prints the added object.
    func print(_ options: ClientOptions) {
        if options.json {
            JSONLine(self).print()
        } else {
            ProgramOutput.line("Added \(name)")
        }
    }

    /// Prints that the change is done, in JSON only.
    static func print(_ options: ClientOptions) {
        if options.json { JSONLine(["done": true]).print() }
    }
}

/// An object with a name, in a JSON list.
struct NamedRow: Encodable {
    var id: UUID
    var name: String
}
