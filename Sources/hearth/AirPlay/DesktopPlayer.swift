import AirPlay
import AirPlayNetwork
import DesktopMedia
import DNSSD
import Foundation
import MediaRouting
import Synchronization

/// Shows on the desktop what a receiver plays, and sends the desktop's keys to the sender.
final class DesktopPlayer: Sendable {
    // This is a class because the receiver's closures share it.

    private let service: MediaPlayerService
    private let artwork = ArtworkFile()
    private let lastProgress = Mutex<PlaybackProgress?>(nil)
    private let keys: AsyncStream<MediaKey>

    /// Creates a player with a receiver's name.
    init(name: String) {
        let (keys, continuation) = AsyncStream.makeStream(of: MediaKey.self, bufferingPolicy: .bufferingOldest(16))
        self.keys = keys
        service = MediaPlayerService(identity: name) { continuation.yield($0) }
    }

    /// Connects to the desktop, if there is one.
    func start(_ receiver: AirPlayReceiver, _ discovery: MulticastDNS) {
        service.start()
        Task {
            for await key in keys {
                await RemoteControlInput.send(RemoteCommand(key).rawValue, receiver, discovery)
            }
        }
    }

    /// Takes the receiver's events.
    func handle(_ event: ReceiverEvent) {
        switch event {
        case .started:
            artwork.remove()
            service.player = MediaPlayerState(isPlaying: true)
        case .nowPlaying(let nowPlaying):
            let path = artwork.path(of: nowPlaying.artwork)
            // The progress is repeated with each change of something else.
            let progress = nowPlaying.progress.flatMap { $0 == lastProgress.withLock({ $0 }) ? nil : $0 }
            if let progress { lastProgress.withLock { $0 = progress } }
            service.change { state in
                state.title = nowPlaying.track.title
                state.artist = nowPlaying.track.artist
                state.album = nowPlaying.track.album
                state.duration = nowPlaying.progress?.duration
                if let progress { state.position = MediaPlayerState.Position(seconds: progress.position) }
                state.artwork = path
                state.volume = nowPlaying.volume?.factor ?? 1
            }
        case .ended:
            artwork.remove()
            service.player = MediaPlayerState()
        // A sender that pauses discards what it has sent ahead, and sends nothing.
        case .flushed: setPaused(true)
        case .refused, .malformed: break
        }
    }

    /// Takes the arrival of audio, which ends a pause.
    func audioArrived() {
        if service.player.isPaused { setPaused(false) }
    }

    private func setPaused(_ isPaused: Bool) {
        service.change { $0.setPaused(isPaused) }
    }

    /// Disconnects.
    func stop() {
        artwork.remove()
        service.stop()
    }
}

extension Volume {
    /// The factor by which samples are multiplied, 0 to 1.
    var factor: Double { self == .muted ? 0 : pow(10, decibels / 20) }
}
