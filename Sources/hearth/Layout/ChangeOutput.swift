import Foundation
import HubAPI

/// What a command prints when a change was made: for people nothing but what is new, for programs always an object.
struct ChangeOutput: Encodable {
    private var id: UUID
    private var name: String

    /// Something was added.
    init(_ added: Added, _ name: String) {
        id = added.id
        self.name = name
    }

    /// Prints what was added.
    func print(_ options: ClientOptions) {
        if options.json {
            JSONLine(self).print()
        } else {
            ProgramOutput.line("Added \(name)")
        }
    }

    /// Prints that it is done.
    static func print(_ options: ClientOptions) {
        if options.json { JSONLine(["done": true]).print() }
    }
}

/// A thing with a name, in a list.
struct NamedRow: Encodable {
    var id: UUID
    var name: String
}
