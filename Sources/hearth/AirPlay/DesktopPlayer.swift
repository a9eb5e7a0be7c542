import AirPlay
import AirPlayNetwork
import DesktopMedia
import DNSSD
import Foundation

/// Shows on the desktop what a receiver plays, and sends the desktop's keys to the sender.
struct DesktopPlayer: Sendable {
    private let service: MediaPlayerService
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
            for await key in keys { await RemoteControlInput.send(Self.command(for: key), receiver, discovery) }
        }
    }

    /// Takes the receiver's events.
    func handle(_ event: ReceiverEvent) {
        switch event {
        case .started: service.player = MediaPlayerState(isPlaying: true)
        case .nowPlaying(let nowPlaying):
            var state = service.player
            state.title = nowPlaying.track.title
            state.artist = nowPlaying.track.artist
            state.album = nowPlaying.track.album
            state.duration = nowPlaying.progress?.duration
            state.volume = nowPlaying.volume?.factor ?? 1
            service.player = state
        case .ended: service.player = MediaPlayerState()
        case .flushed, .refused, .malformed: break
        }
    }

    /// Disconnects.
    func stop() {
        service.stop()
    }

    private static func command(for key: MediaKey) -> String {
        switch key {
        case .play: "play"
        case .pause: "pause"
        case .playPause: "playpause"
        case .stop: "stop"
        case .next: "nextitem"
        case .previous: "previtem"
        }
    }
}

extension Volume {
    /// The factor by which samples are multiplied, 0 to 1.
    var factor: Double { self == .muted ? 0 : pow(10, decibels / 20) }
}
