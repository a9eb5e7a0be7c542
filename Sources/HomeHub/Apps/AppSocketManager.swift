import Foundation
import Glibc
import HomeModel
import HomeStore
import HubAPI
import Logging

/// Opens the sockets of apps, and stores the list so that the hub opens them again at its next start.
///
/// The list belongs to this machine, not to the homes: a restored backup has none.
actor AppSocketManager: HubPart {
    /// The maximum number of sockets of a hub.
    static let limit = 100

    /// A socket in the stored list.
    private struct Kept: Codable, Sendable {
        var user: UUID
        var app: String
        var socket: AppSocket
    }

    /// A closure that creates a connection's session, with the arguments of ``HomeHub/accept(as:on:deliver:)``.
    typealias Acceptor =
        @Sendable (
            SessionAuthority, (any TaskExecutor)?, @escaping @Sendable (HubMessage) -> Void
        ) -> HubSession

    private struct Serving {
        var opener: any AppSocketOpener
        /// The ID of the machine that the apps run on.
        var device: UUID
        var accept: Acceptor
    }

    private let store: HomeStore
    private let log: Logger
    private var serving: Serving?
    private var kept: [Kept] = []
    private var open: [String: any OpenedSocket] = [:]
    /// The paths of sockets that are being opened or closed.
    private var busy: Set<String> = []
    private var waiting: [CheckedContinuation<Void, Never>] = []
    /// The latest change to the list.
    private var lastChange: Task<Void, any Error>?

    init(store: HomeStore, log: Logger) {
        self.store = store
        self.log = log
    }

    /// Registers the methods.
    nonisolated func register(in router: inout MethodRouter) {
        router.on(HubMethods.openAppSocket) { (parameters, session) async throws(HubError) in
            .deferredCallback { await self.open(parameters, for: session.user, $0) }
        }
        router.on(HubMethods.closeAppSocket) { (parameters, session) async throws(HubError) in
            .deferredCallback { await self.close(parameters.path, for: session.user, $0) }
        }
    }

    // MARK: Start and stop

    /// Opens the sockets of the stored list. A socket that can't be opened is logged and stays on the list.
    ///
    /// - Parameter device: The ID of the machine that the apps run on.
    func start(_ opener: any AppSocketOpener, on device: UUID, accept: @escaping Acceptor) async {
        do {
            if let text = try await store.metadata(.appSockets) {
                kept = try JSONDecoder().decode([Kept].self, from: Data(text.utf8))
            }
        } catch {
            // Opening or removing a socket would overwrite the list that can't be read.
            log.error("The sockets of apps could not be read.", metadata: [LogKey.error: "\(error)"])
            return
        }
        serving = Serving(opener: opener, device: device, accept: accept)
        // Sockets may be opened and removed during this loop, so each is looked up again.
        for path in kept.map(\.socket.path) where begin(path) {
            defer { end(path) }
            guard let socket = kept.first(where: { $0.socket.path == path }), open[path] == nil else { continue }
            do throws(HubError) {
                open[path] = try await listen(socket)
            } catch {
                if let index = kept.firstIndex(where: { $0.socket.path == path }) {
                    kept[index].socket.problem = error.reason
                }
                var metadata = Self.metadata(socket)
                metadata[LogKey.reason] = "\(error.reason)"
                log.warning("An app's socket could not be opened.", metadata: metadata)
            }
        }
    }

    /// Closes all sockets, which stay on the list. Waits until sockets that are being opened or removed are done, so
    /// that the callers' replies match the list of the next start.
    func stop() async {
        serving = nil
        while !busy.isEmpty {
            await withCheckedContinuation { waiting.append($0) }
        }
        let ending = open
        open = [:]
        await withTaskGroup(of: Void.self) { group in
            for socket in ending.values { group.addTask { await socket.close() } }
        }
    }

    /// Returns the sockets of a user's apps, by app.
    func sockets(of user: UUID) -> [String: [AppSocket]] {
        Dictionary(grouping: kept.filter { $0.user == user }, by: \.app).mapValues { $0.map(\.socket) }
    }

    // MARK: Changes

    private func open(
        _ parameters: OpenAppSocket,
        for user: UUID,
        _ reply: HandlerResult<OpenedAppSocket>.Reply
    ) async {
        let path = parameters.socket.path
        guard begin(path) else { return reply(.failure(Self.isBusy(path))) }
        do throws(HubError) {
            try await open(parameters, for: user)
            reply(.success(OpenedAppSocket(hubUser: geteuid())))
        } catch {
            reply(.failure(error))
        }
        end(path)
    }

    private func close(_ path: String, for user: UUID, _ reply: HandlerResult<Empty>.Reply) async {
        guard begin(path) else { return reply(.failure(Self.isBusy(path))) }
        do throws(HubError) {
            try await close(path, for: user)
            reply(.success(Empty()))
        } catch {
            reply(.failure(error))
        }
        end(path)
    }

    private func open(_ parameters: OpenAppSocket, for user: UUID) async throws(HubError) {
        var socket = parameters.socket
        socket.problem = nil
        try socket.check(for: parameters.id)
        if let other = kept.first(where: { $0.socket.path == socket.path }) {
            let whose = other.user == user ? "“\(other.app)”" : "another user's app"
            let reason = "\(socket.path) is already the socket of \(whose). Remove it first."
            throw HubError(HomeError(.alreadyAdded, reason))
        }
        try Self.checkRoom(in: kept)
        let new = Kept(user: user, app: parameters.id, socket: socket)
        let opened = try await listen(new)
        do {
            // Other sockets may have been added in the meantime.
            try await change { kept in
                try Self.checkRoom(in: kept)
                kept.append(new)
            }
        } catch {
            await opened.close()
            let reason = "The socket was not opened, because the list of sockets could not be stored: \(error)"
            throw error as? HubError ?? HubError(.storeFailure, reason)
        }
        open[socket.path] = opened
        log.info("A socket was opened for an app.", metadata: Self.metadata(new))
    }

    private func close(_ path: String, for user: UUID) async throws(HubError) {
        guard serving != nil else { throw Self.servesNone }
        guard let removed = kept.first(where: { $0.socket.path == path && $0.user == user }) else {
            let reason = "None of your apps has a socket at \(path.prefix(200)). To list them, run “hearth app list”."
            throw HubError(HomeError(.notFound, reason))
        }
        do {
            try await change { $0.removeAll { $0.socket.path == path } }
        } catch {
            throw HubError(.storeFailure, "The socket was not removed: \(error)")
        }
        await open.removeValue(forKey: path)?.close()
        log.info("An app's socket was removed.", metadata: Self.metadata(removed))
    }

    private static func metadata(_ kept: Kept) -> Logger.Metadata {
        [LogKey.app: "\(kept.app)", LogKey.path: "\(kept.socket.path)"]
    }

    private func begin(_ path: String) -> Bool {
        busy.insert(path).inserted
    }

    private func end(_ path: String) {
        busy.remove(path)
        guard busy.isEmpty else { return }
        for continuation in waiting { continuation.resume() }
        waiting = []
    }

    private static func isBusy(_ path: String) -> HubError {
        let displayed = path.sanitized(maximumLength: HomeLimits.purposeLength)
        return HubError(.notAllowedNow, "The socket at \(displayed) is being opened or removed. Try again in a moment.")
    }

    private static let servesNone = HubError(
        .notAllowedNow,
        "This hub can't open sockets: it runs inside another program, its list can't be read, or it is stopping."
    )

    private func listen(_ socket: Kept) async throws(HubError) -> any OpenedSocket {
        guard let serving else { throw Self.servesNone }
        let authority = SessionAuthority(user: socket.user, device: serving.device, client: .app(socket.app))
        return try await serving.opener.open(socket.socket) { serving.accept(authority, $0, $1) }
    }

    /// Changes the list, first on disk and then in memory. Changes run one after another, in the order of the calls, so
    /// that the latest list is always the one on disk.
    private func change(_ body: @escaping @Sendable (inout [Kept]) throws -> Void) async throws {
        let earlier = lastChange
        // The task takes its place in the order before the first suspension.
        let change = Task {
            _ = await earlier?.result
            var changed = kept
            try body(&changed)
            try await save(changed)
            // Another task may have recorded why a socket isn't open, so the saved list isn't simply assigned.
            try body(&kept)
        }
        lastChange = change
        try await change.value
    }

    private func save(_ list: [Kept]) async throws {
        let stored = list.map { kept in
            var kept = kept
            kept.socket.problem = nil
            return kept
        }
        let text = String(decoding: try JSONEncoder().encode(stored), as: UTF8.self)
        try await store.setMetadata(stored.isEmpty ? nil : text, for: .appSockets)
    }

    private static func checkRoom(in kept: [Kept]) throws(HubError) {
        guard kept.count < limit else {
            throw HubError(HomeError(.limitExceeded, "A hub can have at most \(limit) app sockets. Remove one first."))
        }
    }
}
