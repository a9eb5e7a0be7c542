import Foundation
import Glibc
import HomeModel
import HubAPI
import LocalRPC
import LocalRPCSockets
import Logging

/// The sockets of apps on this device: every connection at one of them is its app. The agent opens them again at each start.
actor AppSockets {
    /// A socket in the stored list.
    struct Stored: Hashable, Sendable, Codable {
        var app: String
        var socket: AppSocket
    }

    /// A change of the list.
    private enum Change: Sendable {
        case add(OpenAppSocket)
        case remove(String)
    }

    private let log: Logger
    /// Creates the acceptor of an app's connections.
    private let acceptor: @Sendable (_ app: String) -> any RPCSessionAcceptor<HubEvent>
    /// Stores the list.
    private let store: @Sendable ([Stored]) throws(HubError) -> Void
    private var stored: [Stored]
    private var open: [String: UnixSocketListener] = [:]
    private var isServing = false
    /// The latest change. Changes follow one another.
    private var last: Task<Void, Never>?

    init(
        _ stored: [Stored],
        log: Logger,
        acceptor: @escaping @Sendable (_ app: String) -> any RPCSessionAcceptor<HubEvent>,
        store: @escaping @Sendable ([Stored]) throws(HubError) -> Void
    ) {
        self.stored = stored
        self.log = log
        self.acceptor = acceptor
        self.store = store
    }

    /// The sockets by app.
    var byApp: [String: [AppSocket]] {
        Dictionary(grouping: stored, by: \.app).mapValues { $0.map(\.socket) }
    }

    /// Opens the sockets of the list. One that can't be opened stays on it, with the reason.
    func start() async {
        await inOrder { await $0.openAll() }
    }

    private func openAll() async {
        isServing = true
        for index in stored.indices {
            do throws(HubError) {
                open[stored[index].socket.path] = try await listen(stored[index])
            } catch {
                stored[index].socket.problem = error.reason
                log.warning(
                    "An app's socket could not be opened.",
                    metadata: ["path": "\(stored[index].socket.path)", "reason": "\(error.reason)"]
                )
            }
        }
    }

    /// Closes all sockets, which stay on the list.
    func stop() async {
        await inOrder { await $0.closeAll() }
    }

    private func closeAll() async {
        isServing = false
        for socket in open.values { await socket.stop() }
        open = [:]
    }

    /// Opens a socket for an app.
    func add(_ parameters: OpenAppSocket) async throws(HubError) {
        try await inOrder { await $0.result(of: .add(parameters)) }.get()
    }

    private func adding(_ parameters: OpenAppSocket) async throws(HubError) {
        var socket = parameters.socket
        socket.problem = nil
        try socket.check(for: parameters.id)
        guard isServing else { throw Self.servesNone }
        if let other = stored.first(where: { $0.socket.path == socket.path }) {
            let reason = "\(socket.path) is already the socket of “\(other.app)”. Remove it first."
            throw HubError(HomeError(.alreadyAdded, reason))
        }
        guard stored.count < AgentLimits.appSockets else {
            let reason = "A device can have at most \(AgentLimits.appSockets) app sockets. Remove one first."
            throw HubError(HomeError(.limitExceeded, reason))
        }
        let new = Stored(app: parameters.id, socket: socket)
        let listener = try await listen(new)
        do throws(HubError) {
            try store(withoutProblems(stored + [new]))
        } catch {
            await listener.stop()
            throw error
        }
        stored.append(new)
        open[socket.path] = listener
        log.info("A socket was opened for an app.", metadata: ["app": "\(new.app)", "path": "\(socket.path)"])
    }

    /// Removes an app's socket and closes its connections.
    func remove(_ path: String) async throws(HubError) {
        try await inOrder { await $0.result(of: .remove(path)) }.get()
    }

    private func removing(_ path: String) async throws(HubError) {
        guard isServing else { throw Self.servesNone }
        guard stored.contains(where: { $0.socket.path == path }) else {
            let reason = "None of your apps has a socket at \(path.prefix(200)). To list them, run “hearth app list”."
            throw HubError(HomeError(.notFound, reason))
        }
        let rest = stored.filter { $0.socket.path != path }
        try store(withoutProblems(rest))
        stored = rest
        await open.removeValue(forKey: path)?.stop()
        log.info("An app's socket was removed.", metadata: ["path": "\(path)"])
    }

    private static let servesNone = HubError(.notAllowedNow, "The agent opens no sockets now, because it is stopping.")

    private func withoutProblems(_ list: [Stored]) -> [Stored] {
        list.map { stored in
            var stored = stored
            stored.socket.problem = nil
            return stored
        }
    }

    private func listen(_ stored: Stored) async throws(HubError) -> UnixSocketListener {
        try await UnixSocketListener.start(
            path: stored.socket.path,
            of: "agent",
            for: SocketAccess(mode: mode_t(stored.socket.mode), group: stored.socket.group),
            acceptor: acceptor(stored.app),
            logger: log,
            connectionLimit: SocketLimits.appConnections,
            isTrusted: { _ in true }
        )
    }

    /// Runs a change after those that were asked for before.
    private func inOrder<Result: Sendable>(_ change: @escaping @Sendable (AppSockets) async -> Result) async -> Result {
        let earlier = last
        let task = Task {
            await earlier?.value
            return await change(self)
        }
        last = Task { _ = await task.value }
        return await task.value
    }

    private func result(of change: Change) async -> Result<Void, HubError> {
        do throws(HubError) {
            switch change {
            case .add(let parameters): try await adding(parameters)
            case .remove(let path): try await removing(path)
            }
            return .success(())
        } catch {
            return .failure(error)
        }
    }
}
