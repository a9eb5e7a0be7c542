/// A tool that assistants can call.
package struct MCPTool: Hashable, Sendable {
    /// A parameter of a tool.
    package struct Parameter: Hashable, Sendable {
        /// The type of an argument.
        package enum Kind: String, Hashable, Sendable {
            case string, number, boolean
            /// A string, a number or a Boolean.
            case scalar
        }

        /// The parameter's name.
        package var name: String
        /// The type of its argument.
        package var kind: Kind
        /// The parameter's description.
        package var description: String
        /// Whether the argument can't be left out.
        package var isRequired: Bool

        /// Creates a parameter.
        package init(_ name: String, _ kind: Kind, _ description: String, isRequired: Bool = false) {
            self.name = name
            self.kind = kind
            self.description = description
            self.isRequired = isRequired
        }
    }

    /// The tool's name.
    package var name: String
    /// The tool's name for people.
    package var title: String
    /// The tool's description, for the assistant.
    package var description: String
    /// The tool's parameters.
    package var parameters: [Parameter]
    /// Whether the tool changes nothing.
    package var isReadOnly: Bool
    /// Whether the tool may do something that can't be undone.
    package var isDestructive: Bool

    /// Creates a tool.
    package init(
        _ name: String,
        title: String,
        _ description: String,
        _ parameters: [Parameter],
        isReadOnly: Bool = false,
        isDestructive: Bool = false
    ) {
        self.name = name
        self.title = title
        self.description = description
        self.parameters = parameters
        self.isReadOnly = isReadOnly
        self.isDestructive = isDestructive
    }
}
