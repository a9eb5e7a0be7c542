internal import AirPlay
internal import DesktopMedia
internal import Foundation

/// Shows on the desktop what this app plays, and has the app handle the desktop's keys.
///
/// This is a class because it owns the connection to the desktop and the file with the picture.
final class AppDesktopPlayer: Sendable {
    private let service: MediaPlayerService
    private let artwork = ArtworkFile()
    private let keys: Task<Void, Never>

    /// Connects to the desktop, if there is one.
    init(_ routes: MediaRoutes?) {
        let (keys, continuation) = AsyncStream.makeStream(of: MediaKey.self, bufferingPolicy: .bufferingOldest(16))
        let name = ProcessInfo.processInfo.processName
        service = MediaPlayerService(identity: name, program: name) { continuation.yield($0) }
        service.start()
        self.keys = Task { [weak routes] in
            for await key in keys { _ = await routes?.handle(RemoteCommand(key)) }
        }
    }

    deinit {
        keys.cancel()
        service.stop()
    }

    /// Shows what the app plays.
    func show(_ status: PlayerStatus, _ picture: Artwork?) {
        var state = MediaPlayerState(isPlaying: status.isPlaying || status.title != nil || status.elapsed != nil)
        state.isPaused = !status.isPlaying
        state.position = status.elapsed.map { MediaPlayerState.Position(seconds: $0) }
        state.artwork = artwork.path(of: picture)
        (state.title, state.artist, state.album) = (status.title, status.artist, status.album)
        state.duration = status.duration
        state.volume = status.volume ?? 1
        state.keys = Set(MediaKey.allCases.filter { status.commands.contains(RemoteCommand($0).rawValue) })
        service.player = state
    }
}
