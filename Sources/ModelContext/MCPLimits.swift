/// The limits of an assistant's connection. `Documentation/Assistants.md` lists them.
package struct MCPLimits: Hashable, Sendable {
    /// The maximum number of bytes in a message.
    package var messageBytes = 262_144
    /// The maximum number of requests without a reply.
    package var requests = 16
    /// The maximum number of bytes in a request's ID, if it is a string.
    package var idBytes = 256
    /// The maximum number of characters in an assistant's name; the rest is cut off.
    package var nameLength = 64

    /// Creates the standard limits.
    package init() {}
}
