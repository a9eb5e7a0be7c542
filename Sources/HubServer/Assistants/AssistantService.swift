package import HubAPI
package import ModelContext

/// What serves AI assistants: the description of the tools, and what does their work over a connection to the hub.
package struct AssistantService: Sendable {
    /// The description.
    package var info: MCPServerInfo
    /// Creates what does the work of one assistant.
    ///
    /// - Parameter transport: A closure that creates a transport to the hub, as the assistant's user.
    package var worker: @Sendable (_ transport: @escaping @Sendable () -> any HubTransport) -> any MCPWorker

    /// Creates a service.
    package init(
        info: MCPServerInfo,
        worker: @escaping @Sendable (@escaping @Sendable () -> any HubTransport) -> any MCPWorker
    ) {
        self.info = info
        self.worker = worker
    }
}
