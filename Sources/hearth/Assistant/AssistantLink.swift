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

    private let transport: @Sendable () -> any HubTransport
    private var current: (assistant: String, connection: Connection, mirror: Task<Result<HubMirror, HubError>, Never>)?

    /// Creates a link.
    ///
    /// - Parameter transport: A closure that creates a transport to the hub.
    init(over transport: @escaping @Sendable () -> any HubTransport) {
        self.transport = transport
    }

    /// Returns the connection for an assistant.
    ///
    /// - Throws: ``HubError`` with `noHub` if no hub responds, or the hub's error, such as `appNotAllowed`.
    func mirror(for assistant: String) async throws(HubError) -> HubMirror {
        if let current, current.assistant == assistant, !current.connection.isOver.withLock({ $0 }) {
            return try await current.mirror.value.get()
        }
        let connection = Connection()
        let mirror = Task { [transport] in
            let result = await Self.connect(as: assistant, over: transport()) {
                connection.isOver.withLock { $0 = true }
            }
            if case .failure = result { connection.isOver.withLock { $0 = true } }
            return result
        }
        current = (assistant, connection, mirror)
        return try await mirror.value.get()
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
