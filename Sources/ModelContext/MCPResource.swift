/// A text that assistants can read.
package struct MCPResource: Hashable, Sendable {
    /// The resource's address.
    package var uri: String
    /// The resource's name.
    package var name: String
    /// The resource's description.
    package var description: String

    /// The media type of all resources.
    package static let type = "text/plain"

    /// Creates a resource.
    package init(uri: String, name: String, description: String) {
        self.uri = uri
        self.name = name
        self.description = description
    }
}
