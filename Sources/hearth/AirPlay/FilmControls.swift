import AirPlay
import AirPlayNetwork
import DesktopMedia
import Foundation
import Synchronization

/// The controls of a film that a receiver plays: lines of standard input, and the desktop's keys. The desktop shows the film.
final class FilmControls: Sendable {
    // This is a class because the sender's closures share it.

    /// A command of the user.
    enum Command: Hashable, Sendable {
        case play
        case pause
        case playPause
        case stop
        case seek(Double)

        /// Reads a line such as `pause` or `seek 90`. Returns `nil` if it is something else.
        init?(_ line: String) {
            let words = line.split(separator: " ")
            switch (words.first, words.count) {
            case ("play", 1): self = .play
            case ("pause", 1): self = .pause
            case ("playpause", 1): self = .playPause
            case ("stop", 1): self = .stop
            case ("seek", 2):
                guard let seconds = Double(words[1]), seconds.isFinite, seconds >= 0 else { return nil }
                self = .seek(seconds)
            default: return nil
            }
        }

        /// Reads a key. Returns `nil` if a film has nothing to do with it.
        init?(_ key: MediaKey) {
            switch key {
            case .play: self = .play
            case .pause: self = .pause
            case .playPause: self = .playPause
            case .stop: self = .stop
            case .next, .previous: return nil
            }
        }
    }

    private let sender: VideoSender
    private let desktop: MediaPlayerService
    private let keys: AsyncStream<MediaKey>
    private let status = Mutex(VideoStatus(state: .loading))

    /// Creates controls.
    ///
    /// - Parameters:
    ///   - sender: The sender that has a receiver play the film.
    ///   - name: The receiver's name.
    ///   - film: The names of the film.
    init(_ sender: VideoSender, name: String, film: TrackMetadata) {
        self.sender = sender
        let (keys, continuation) = AsyncStream.makeStream(of: MediaKey.self, bufferingPolicy: .bufferingOldest(16))
        self.keys = keys
        desktop = MediaPlayerService(identity: name) { continuation.yield($0) }
        var state = MediaPlayerState(isPlaying: true)
        (state.title, state.artist, state.album) = (film.title, film.artist, film.album)
        desktop.player = state
    }

    /// Connects to the desktop, if there is one, and reads standard input to its end.
    func start() {
        desktop.start()
        Task {
            for await key in keys {
                if let command = Command(key) { await perform(command) }
            }
        }
        Task {
            for await line in RemoteControlInput.lines() {
                if let command = Command(line) {
                    await perform(command)
                } else {
                    ProgramOutput.note(
                        "“\(line)” isn't a command. Use play, pause, playpause, stop, or seek and the seconds."
                    )
                }
            }
        }
    }

    /// Takes what the receiver does.
    func update(_ status: VideoStatus) {
        self.status.withLock { $0 = status }
        var state = desktop.player
        state.isPaused = status.state != .playing
        state.position = MediaPlayerState.Position(seconds: status.position)
        state.duration = status.duration
        desktop.player = state
    }

    /// Disconnects from the desktop.
    func stop() {
        desktop.stop()
    }

    private func perform(_ command: Command) async {
        let isDone: Bool
        switch command {
        case .play: isDone = await sender.pause(false)
        case .pause: isDone = await sender.pause(true)
        case .playPause:
            let isPaused = status.withLock { $0.state == .paused }
            isDone = await sender.pause(!isPaused)
        case .seek(let seconds): isDone = await sender.seek(to: seconds)
        case .stop:
            await sender.stop()
            isDone = true
        }
        if !isDone { ProgramOutput.note("The receiver can't do this now.") }
    }
}
