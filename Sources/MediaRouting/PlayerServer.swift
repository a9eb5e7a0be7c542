internal import AirPlay
internal import Foundation
internal import LocalRPC
internal import LocalRPCSockets
internal import Synchronization

/// Shows to other programs of the same user what this app plays, and takes their commands, on a socket beside the file
/// with the user's choice.
///
/// This is a class because the routes, the socket and its connections share it. Its state is guarded by a lock.
package final class PlayerServer: Sendable {
    private struct State {
        var listener: Task<UnixSocketListener?, Never>?
        var observer: Int?
        var desktop: AppDesktopPlayer?
        var sessions: [Int: PlayerSession] = [:]
        var lastSession = 0
        /// The connections whose user looks at a picker.
        var presenting: Set<Int> = []
        var prioritizesVideo = false
        var commands: @Sendable () -> [PlayerCommand] = { [] }
        var pictures = 0
        var picture: Artwork?
        /// The time that was heard when the app paused. Apps may not report that they pause.
        var pausedAt: Double?
        var wasPlaying = false
    }

    private weak let routes: MediaRoutes?
    private let file: RouteFile
    private let state = Mutex(State())

    init(_ routes: MediaRoutes, _ file: RouteFile) {
        self.routes = routes
        self.file = file
    }

    deinit {
        let (listener, observer) = state.withLock { ($0.listener, $0.observer) }
        if let observer { routes?.removeObserver(observer) }
        Task { await listener?.value?.stop() }
    }

    /// Opens the socket, unless it is open. An app whose socket can't be opened plays without being shown.
    package func start() {
        state.withLock { state in
            guard state.listener == nil else { return }
            state.observer = routes?.observe { [weak self] in self?.handle($0) }
            state.desktop = AppDesktopPlayer(routes)
            let path = "\(file.players)/\(ProcessInfo.processInfo.processIdentifier).sock"
            state.listener = Task { [weak self] in
                let acceptor = PlayerAcceptor(server: self)
                return try? await UnixSocketListener.start(path: path, of: "app", acceptor: acceptor)
            }
        }
    }

    /// Ends all connections and removes the socket. Tests call it.
    package func stop() async {
        let listener = state.withLock { state in
            state.desktop = nil
            return state.listener.take()
        }
        await listener?.value?.stop()
    }

    // MARK: The app

    /// Sets the closure that returns the commands that the app handles.
    package func setCommands(_ commands: @escaping @Sendable () -> [PlayerCommand]) {
        state.withLock { $0.commands = commands }
    }

    /// Sends to others what the app plays, because the commands that it handles have changed.
    package func commandsDidChange() {
        routes?.notify(.status)
    }

    /// Whether a picker of another program shows receivers to the user.
    package var isPresented: Bool { state.withLock { !$0.presenting.isEmpty } }

    /// Whether pickers show receivers with video first.
    package var prioritizesVideo: Bool {
        get { state.withLock { $0.prioritizesVideo } }
        set {
            let isChanged = state.withLock { state in
                defer { state.prioritizesVideo = newValue }
                return state.prioritizesVideo != newValue
            }
            if isChanged { routes?.notify(.status) }
        }
    }

    // MARK: The status

    /// Sends to others what the app plays. It is called on the routes' queue alone, or an older status could come last.
    private func handle(_ change: MediaRoutes.Change) {
        if change == .receivers || change == .release || change == .presentation { return }
        let (sessions, desktop) = state.withLock { ($0.sessions.values.filter(\.isFollowing), $0.desktop) }
        let status = status
        for session in sessions { session.send(status) }
        desktop?.show(status, state.withLock { $0.picture })
    }

    /// What the app plays now.
    var status: PlayerStatus {
        guard let routes else { return PlayerStatus() }
        let report = routes.report
        var status = PlayerStatus()
        status.app = ProcessInfo.processInfo.processName
        status.isPlaying = routes.isPlaying
        status.isRouted = routes.active != nil
        status.title = report?.track.title
        status.artist = report?.track.artist
        status.album = report?.track.album
        status.duration = report?.duration
        status.volume = routes.volume
        let position = report?.position
        let (commands, picture, paused, prioritizesVideo) = state.withLock { state in
            if report?.artwork != state.picture {
                state.picture = report?.artwork
                state.pictures += 1
            }
            if state.wasPlaying, !status.isPlaying { state.pausedAt = position }
            if status.isPlaying { state.pausedAt = nil }
            state.wasPlaying = status.isPlaying
            return (
                state.commands, Self.isShown(state.picture) ? state.pictures : nil, state.pausedAt,
                state.prioritizesVideo
            )
        }
        status.elapsed = paused ?? position
        status.artwork = picture
        status.prioritizesVideo = prioritizesVideo
        status.commands = commands().map(\.rawValue)
        return status.bounded
    }

    private static func isShown(_ picture: Artwork?) -> Bool {
        picture.map { $0.bytes.count <= PlayerArtwork.lengthLimit } ?? false
    }

    // MARK: Calls

    /// Sends what the app plays again, because a program may have missed it.
    func repeatStatus() {
        routes?.notify(.status)
    }

    /// Returns the picture of what plays; `nil` if there is none.
    var artwork: PlayerArtwork? {
        let (picture, number) = state.withLock { ($0.picture, $0.pictures) }
        guard let picture, Self.isShown(picture) else { return nil }
        return PlayerArtwork(
            number: number,
            type: picture.contentType,
            data: Data(picture.bytes).base64EncodedString()
        )
    }

    /// Performs a command. Returns whether the app could.
    func perform(_ command: PlayerCommand) async -> Bool {
        await routes?.handle(RemoteCommand(rawValue: command.rawValue)) == .success
    }

    func setVolume(_ volume: Double) {
        routes?.setVolume(volume)
    }

    func present(_ isPresented: Bool, _ session: Int) {
        let isChanged = state.withLock { state in
            let wasEmpty = state.presenting.isEmpty
            if isPresented, state.sessions[session] != nil {
                state.presenting.insert(session)
            } else {
                state.presenting.remove(session)
            }
            return wasEmpty != state.presenting.isEmpty
        }
        if isChanged { routes?.notify(.presentation) }
    }

    func accept(_ deliver: @escaping @Sendable (RPCMessage<PlayerEvent>) -> Void) -> PlayerSession {
        state.withLock { state in
            state.lastSession += 1
            let session = PlayerSession(number: state.lastSession, server: self, deliver: deliver)
            state.sessions[state.lastSession] = session
            return session
        }
    }

    func end(_ session: Int) {
        present(false, session)
        state.withLock { _ = $0.sessions.removeValue(forKey: session) }
    }
}
