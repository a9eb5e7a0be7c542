package import Foundation
internal import LocalRPC
internal import LocalRPCSockets

/// The apps of this user that play, for a program that shows them.
///
/// An app is known while its socket answers: one that has ended or crashed disappears at once.
package actor PlayerDirectory {
    /// The maximum number of apps. Further ones aren't shown.
    package static let playerLimit = 16

    /// An app that plays.
    package struct Player: Hashable, Sendable {
        /// An ID that lasts while the app runs and is shown.
        package var id: UUID
        /// What it plays.
        package var status: PlayerStatus
        /// When the status arrived.
        package var arrival: ContinuousClock.Instant
    }

    /// A message of an app, in the order of its socket.
    private enum Message: Sendable {
        case status(PlayerStatus)
        case closed
    }

    private struct Entry {
        var connection: RPCConnection<PlayerEvent>
        var id = UUID()
        var player: Player?
        var task: Task<Void, Never>
    }

    private static let suffix = ".sock"

    private let file: RouteFile
    private let change: @Sendable () -> Void
    private var entries: [String: Entry] = [:]
    private var isPresented = false

    /// Creates a directory without apps. Call ``close()`` in the end.
    ///
    /// - Parameters:
    ///   - file: The file with the user's choice, beside which the apps' sockets are.
    ///   - change: A closure that is called at every change of ``players``.
    package init(_ file: RouteFile, change: @escaping @Sendable () -> Void) {
        self.file = file
        self.change = change
    }

    /// The apps: those that play first, then by name.
    package var players: [Player] {
        entries.values.compactMap(\.player).sorted {
            ($0.status.isPlaying ? 0 : 1, $0.status.app, $0.id.uuidString)
                < ($1.status.isPlaying ? 0 : 1, $1.status.app, $1.id.uuidString)
        }
    }

    /// Looks for apps that have appeared.
    package func update() {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: file.players)) ?? []
        for name in names.sorted() where name.hasSuffix(Self.suffix) && entries[name] == nil {
            guard let process = pid_t(name.dropLast(Self.suffix.count)), process > 0 else { continue }
            let path = "\(file.players)/\(name)"
            if kill(process, 0) != 0, errno == ESRCH {
                unlink(path)
            } else if entries.count < Self.playerLimit {
                connect(name, path)
            }
        }
    }

    private func connect(_ name: String, _ path: String) {
        let (messages, continuation) = AsyncStream.makeStream(of: Message.self)
        let server = SocketServer(name: "app", startAdvice: "It may have ended.")
        let connection = RPCConnection<PlayerEvent>(over: UnixSocketTransport(path: path, to: server)) { event in
            if case .status(let status) = event { continuation.yield(.status(status)) }
        } onClose: { _ in
            continuation.yield(.closed)
            continuation.finish()
        }
        connection.call(PlayerMethods.follow, Empty()) { result in
            if case .success(let status) = result { continuation.yield(.status(status)) }
        }
        let task = Task { [weak self] in
            for await message in messages { await self?.handle(message, of: name) }
        }
        entries[name] = Entry(connection: connection, task: task)
        if isPresented { present(true, connection) }
    }

    private func handle(_ message: Message, of name: String) {
        guard let entry = entries[name] else { return }
        switch message {
        case .status(let status):
            entries[name]?.player = Player(id: entry.id, status: status.bounded, arrival: .now)
            change()
        case .closed:
            entries[name] = nil
            if entry.player != nil { change() }
        }
    }

    /// Ends all connections.
    package func close() {
        for entry in entries.values {
            entry.task.cancel()
            entry.connection.close()
        }
        entries = [:]
    }

    // MARK: Calls

    /// Tells the apps whether a picker shows receivers to the user.
    package func present(_ isPresented: Bool) {
        guard isPresented != self.isPresented else { return }
        self.isPresented = isPresented
        for entry in entries.values { present(isPresented, entry.connection) }
    }

    private func present(_ isPresented: Bool, _ connection: RPCConnection<PlayerEvent>) {
        connection.call(PlayerMethods.present, PlayerPresentation(isPresented: isPresented)) { _ in }
    }

    /// Passes a command to an app. Returns `false` if the app is gone.
    package func perform(_ command: PlayerCommand, on player: UUID) async -> Bool {
        await call(player) { connection throws(RPCError) in
            _ = try await connection.call(PlayerMethods.command, PlayerCommandCall(command: command))
        }
    }

    /// Sets an app's volume, 0 to 1. Returns `false` if the app is gone.
    package func setVolume(_ volume: Double, of player: UUID) async -> Bool {
        await call(player) { connection throws(RPCError) in
            _ = try await connection.call(PlayerMethods.setVolume, PlayerVolume(volume: volume))
        }
    }

    /// Returns the picture of what an app plays; `nil` if there is none.
    package func artwork(of player: UUID) async -> PlayerArtwork? {
        guard let connection = connection(player) else { return nil }
        guard let artwork = try? await connection.call(PlayerMethods.artwork, Empty()),
            artwork.data.utf8.count <= PlayerArtwork.lengthLimit * 4 / 3 + 4,
            ["image/jpeg", "image/png"].contains(artwork.type)
        else { return nil }
        return artwork
    }

    private func connection(_ player: UUID) -> RPCConnection<PlayerEvent>? {
        entries.values.first { $0.player?.id == player }?.connection
    }

    private func call(
        _ player: UUID,
        _ body: (RPCConnection<PlayerEvent>) async throws(RPCError) -> Void
    ) async -> Bool {
        guard let connection = connection(player) else { return false }
        do {
            try await body(connection)
            return true
        } catch {
            return false
        }
    }
}
