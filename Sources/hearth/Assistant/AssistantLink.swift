import HubAPI
import HubClient
import ModelContext
import Synchronization

/// The connection of an assistant to the hub. It connects when it is first needed, and again after the connection has ended.
actor AssistantLink {
    /// A connection that may have ended.
    private final class Connection: Sendable {
        // This is a class because the connection's closures share it.
        let isOver = Mutex(false)
    }

    private struct Current {
        var assistant: String
        var connection: Connection
        var transport: any HubTransport
        var mirror: Task<Result<HubMirror, HubError>, Never>
    }

    private let transport: @Sendable () -> any HubTransport
    private var current: Current?
    private var isClosed = false

    /// Creates a link.
    ///
    /// - Parameter transport: A closure that creates a transport to the hub.
    init(over transport: @escaping @Sendable () -> any HubTransport) {
        self.transport = transport
    }

    /// Returns the connection for an assistant.
    ///
    /// - Throws: ``HubError`` with `noHub` if no hub responds, the hub's error, such as `appNotAllowed`, or
    ///   `connectionLost` after ``close()``.
    func mirror(for assistant: String) async throws(HubError) -> HubMirror {
        if let current, current.assistant == assistant, !current.connection.isOver.withLock({ $0 }) {
            return try await current.mirror.value.get()
        }
        guard !isClosed else { throw HubError(.connectionLost, "The assistant's connection has ended.") }
        let (connection, transport) = (Connection(), transport())
        let mirror = Task {
            let result = await Self.connect(as: assistant, over: transport) {
                connection.isOver.withLock { $0 = true }
            }
            if case .failure = result { connection.isOver.withLock { $0 = true } }
            return result
        }
        current = Current(assistant: assistant, connection: connection, transport: transport, mirror: mirror)
        return try await mirror.value.get()
    }

    /// Ends the connection, and with it what it has asked a person.
    func close() {
        isClosed = true
        current?.transport.close()
        current = nil
    }

    private static func connect(
        as assistant: String,
        over transport: any HubTransport,
        onClose: @escaping @Sendable () -> Void
    ) async -> Result<HubMirror, HubError> {
        do throws(HubError) {
            let mirror = try await HubMirror(
                over: transport,
                app: HubProtocol.isOwnApp(assistant) ? "assistant \(assistant)" : assistant,
                purpose: "An AI assistant that looks at the homes and operates them for you.",
                isAssistant: true,
                onClose: onClose
            )
            // A hub that doesn't know assistants would give it all rights of a person.
            guard mirror.welcome.isAssistant == true else {
                mirror.close()
                throw HubError(.versionMismatch, "The hub is too old for assistants. Upgrade it.")
            }
            return .success(mirror)
        } catch {
            return .failure(error)
        }
    }
}
