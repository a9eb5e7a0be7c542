/// The description of a server: one program that recognizes intents and handles them.
package struct WyomingProgram: Hashable, Sendable {
    /// The program's name.
    package var name: String
    /// The program's description.
    package var description: String
    /// The program's version.
    package var version: String
    /// The address of the program's source.
    package var url: String
    /// The tags of the languages that it understands.
    package var languages: [String]

    /// Creates a description.
    package init(name: String, description: String, version: String, url: String, languages: [String]) {
        self.name = name
        self.description = description
        self.version = version
        self.url = url
        self.languages = languages
    }
}
