/// What a request asks of the homes.
package enum MCPWork: Hashable, Sendable {
    /// Call a tool.
    case call(tool: String, MCPArguments)
    /// List the resources.
    case listResources
    /// Read a resource.
    case readResource(uri: String)
}

/// The outcome of a ``MCPWork``.
package enum MCPOutcome: Hashable, Sendable {
    /// A tool's text.
    case text(String)
    /// Why a tool failed, for the assistant.
    case failure(String)
    /// The resources.
    case resources([MCPResource])
    /// A resource's text.
    case contents(uri: String, String)
    /// An error of the request itself.
    case error(MCPError)
}

/// Something that does the work of one assistant.
package protocol MCPWorker: Sendable {
    /// Does the work that a request asks for.
    ///
    /// - Parameter assistant: The assistant's name.
    func outcome(of work: MCPWork, for assistant: String) async -> MCPOutcome

    /// Ends the work in progress, because nobody waits for it any more.
    func close() async
}
