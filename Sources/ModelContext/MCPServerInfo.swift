/// The description of a server.
package struct MCPServerInfo: Hashable, Sendable {
    /// The server's name.
    package var name: String
    /// The server's name for people.
    package var title: String
    /// The server's version.
    package var version: String
    /// Instructions for the assistant.
    package var instructions: String
    /// The tools, in the order in which they are listed.
    package var tools: [MCPTool]

    /// Creates a description.
    package init(name: String, title: String, version: String, instructions: String, tools: [MCPTool]) {
        self.name = name
        self.title = title
        self.version = version
        self.instructions = instructions
        self.tools = tools
    }
}
