package import HubAPI
import Synchronization

/// A client's connection to a hub with a copy of the hub's state. It doesn't reconnect.
package final class HubMirror: Sendable {
    // This is a class because its connection has an identity.

    private final class Copy: Sendable {
        // This is a class because the link's closures share it.
        let state = Mutex(HubState())
    }

    private let copy: Copy
    private let link: LinkDriver
    /// The hub's introduction.
    package let welcome: Welcome

    /// Connects to a hub and says hello.
    ///
    /// - Parameters:
    ///   - transport: The transport to the hub.
    ///   - app: The client's identifier, for example `hearth`.
    ///   - purpose: The reason for the client's access.
    ///   - isAssistant: Whether the client acts for an AI assistant.
    ///   - onEvent: A closure that receives each event after the copy includes it, on the transport's thread.
    ///   - onClose: A closure that runs once when the connection has ended.
    /// - Throws: ``HubError`` with `noHub` if no hub responds, `versionMismatch` if the hub is too old or too new, or the
    ///   hub's error.
    package init(
        over transport: any HubTransport,
        app: String,
        purpose: String,
        isAssistant: Bool = false,
        onEvent: @escaping @Sendable (HubEvent) -> Void = { _ in },
        onClose: @escaping @Sendable () -> Void = {}
    ) async throws(HubError) {
        let copy = Copy()
        self.copy = copy
        link = LinkDriver(LinkDriver.Configuration(transport: { transport }))
        let client = LinkDriver.Client(
            greeting: { _ in
                LinkDriver.Greeting(Hello(app: app, purpose: purpose, isAssistant: isAssistant ? true : nil))
            },
            onEvent: { event in
                copy.state.withLock { $0.apply(event) }
                onEvent(event)
            },
            onLoss: { _, _ in onClose() }
        )
        welcome = try await link.connect(as: client)
    }

    deinit {
        link.close()
    }

    /// The hub's state, as far as it has been received.
    package var state: HubState { copy.state.withLock { $0 } }

    /// Calls a method and waits for its reply.
    package func call<Parameters, Result>(
        _ method: Method<Parameters, Result>,
        _ parameters: Parameters
    ) async throws(HubError) -> Result {
        try await link.call(method, parameters)
    }

    /// Ends the connection.
    package func close() {
        link.close()
    }
}
