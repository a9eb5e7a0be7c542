import Foundation
import Glibc
import HomeModel
import HomeStore
import HubAPI
import Logging

/// The sockets that were opened for apps: which they are is kept, so that the next start opens them again.
///
/// They are this machine's and no part of the homes: a restored backup has none.
actor AppSocketManager: HubPart {
    /// The most sockets of a hub.
    static let limit = 100

    /// A socket as it is kept.
    private struct Kept: Codable, Sendable {
        var user: UUID
        var app: String
        var socket: AppSocket
    }

    /// Makes the session of a connection.
    typealias Acceptor = @Sendable (SessionAuthority, @escaping @Sendable (HubMessage) -> Void) -> HubSession

    private struct Serving {
        var opener: any AppSocketOpener
        /// The machine on which the apps run.
        var device: UUID
        var accept: Acceptor
    }

    private let store: HomeStore
    private let log: Logger
    private var serving: Serving?
    private var kept: [Kept] = []
    private var open: [String: any OpenedSocket] = [:]
    /// Paths that are being opened or closed.
    private var busy: Set<String> = []
    private var waiting: [CheckedContinuation<Void, Never>] = []
    /// The last change of the list that was begun.
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

    // MARK: Life

    /// Opens the sockets that are kept. One that cannot be opened is logged and stays on the list.
    ///
    /// - Parameter device: The machine on which the apps run.
    func start(_ opener: any AppSocketOpener, on device: UUID, accept: @escaping Acceptor) async {
        do {
            if let text = try await store.metadata(.appSockets) {
                kept = try JSONDecoder().decode([Kept].self, from: Data(text.utf8))
            }
        } catch {
            // Nothing is opened or removed, for that would be written over what cannot be read.
            log.error("The sockets of apps could not be read.", metadata: [LogKey.error: "\(error)"])
            return
        }
        serving = Serving(opener: opener, device: device, accept: accept)
        // Sockets may be opened and removed meanwhile; each is looked up when its turn has come.
        for path in kept.map(\.socket.path) where begin(path) {
            defer { end(path) }
            guard let socket = kept.first(where: { $0.socket.path == path }), open[path] == nil else { continue }
            do throws(HubError) {
                open[path] = try await listen(socket)
            } catch {
                if let place = kept.firstIndex(where: { $0.socket.path == path }) {
                    kept[place].socket.problem = error.reason
                }
                var metadata = Self.metadata(socket)
                metadata[LogKey.reason] = "\(error.reason)"
                log.warning("An app's socket could not be opened.", metadata: metadata)
            }
        }
    }

    /// Closes all sockets; they stay on the list. What is being opened or removed at that moment is done first, and whoever
    /// asked for it told: it is on the list of the next start or it is not, as they were told.
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

    /// The sockets of a user's apps.
    func sockets(of user: UUID) -> [String: [AppSocket]] {
        Dictionary(grouping: kept.filter { $0.user == user }, by: \.app).mapValues { $0.map(\.socket) }
    }

    // MARK: Changing

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
        try Self.check(parameters.id, socket)
        if let other = kept.first(where: { $0.socket.path == socket.path }) {
            let whose = other.user == user ? "“\(other.app)”" : "another person's app"
            throw HubError(HomeError(.alreadyAdded, "\(socket.path) is the socket of \(whose). Remove it first."))
        }
        try Self.checkRoom(in: kept)
        let new = Kept(user: user, app: parameters.id, socket: socket)
        let opened = try await listen(new)
        do {
            // Others may have been opened meanwhile.
            try await change { kept in
                try Self.checkRoom(in: kept)
                kept.append(new)
            }
        } catch {
            await opened.close()
            let reason = "The socket was not opened, for it could not be noted: \(error)"
            throw error as? HubError ?? HubError(.storeFailure, reason)
        }
        open[socket.path] = opened
        log.info("A socket was opened for an app.", metadata: Self.metadata(new))
    }

    private func close(_ path: String, for user: UUID) async throws(HubError) {
        guard serving != nil else { throw Self.servesNone }
        guard let removed = kept.first(where: { $0.socket.path == path && $0.user == user }) else {
            let reason = "No app of yours has a socket at \(path.prefix(200)). See “hearth app list”."
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
        let place = path.sanitized(maximumLength: HomeLimits.purposeLength)
        return HubError(.notAllowedNow, "The socket at \(place) is being opened or removed. Try again in a moment.")
    }

    private static let servesNone = HubError(
        .notAllowedNow,
        "This hub serves no sockets: it is part of another program, its list cannot be read, or it is about to stop."
    )

    private func listen(_ socket: Kept) async throws(HubError) -> any OpenedSocket {
        guard let serving else { throw Self.servesNone }
        let authority = SessionAuthority(user: socket.user, device: serving.device, client: .app(socket.app))
        return try await serving.opener.open(socket.socket) { serving.accept(authority, $0) }
    }

    /// Changes the list, on the disk first. Changes are made one after the other, in the order in which they are asked for:
    /// what is on the disk is always the list that came last.
    private func change(_ body: @escaping @Sendable (inout [Kept]) throws -> Void) async throws {
        let earlier = lastChange
        // Its place is taken before anything is waited for.
        let change = Task {
            _ = await earlier?.result
            var changed = kept
            try body(&changed)
            try await save(changed)
            // Not what was saved: why a socket is not open may have been noted meanwhile.
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
            throw HubError(HomeError(.limitExceeded, "A hub has at most \(limit) sockets of apps."))
        }
    }

    private static func check(_ app: String, _ socket: AppSocket) throws(HubError) {
        func refuse(_ reason: String) throws(HubError) -> Never { throw HubError(HomeError(.invalidParameter, reason)) }
        let limit = HomeLimits.appIdentifierLength
        guard !app.isEmpty, app.sanitized(maximumLength: limit) == app else {
            try refuse("An app's identifier has 1 to \(limit) characters that can be read.")
        }
        guard !HubProtocol.isOwnApp(app) else {
            try refuse("“\(app)” is the hub's own, which may do what apps may not. Give the app a name of its own.")
        }
        guard socket.path.hasPrefix("/"), !socket.path.hasSuffix("/"), !socket.path.utf8.contains(0) else {
            try refuse("A socket needs an absolute path, one that begins with / and ends with its name.")
        }
        guard socket.mode & ~0o666 == 0, socket.mode & 0o600 == 0o600 else {
            try refuse("A socket's mode has read and write bits only, its owner's among them, as 0660 and 0666 have.")
        }
    }
}
