/// What the desktop shows about what plays.
package struct MediaPlayerState: Hashable, Sendable {
    /// Whether something plays, or is paused.
    package var isPlaying = false
    /// Whether it is paused.
    package var isPaused = false
    /// The position in seconds at a time, or `nil` if it isn't known. It advances unless it is paused.
    package var position: Position?
    /// The path of a file with the picture, or `nil` if there is none.
    package var artwork: String?
    /// The title.
    package var title: String?
    /// The artist.
    package var artist: String?
    /// The album.
    package var album: String?
    /// The length in seconds.
    package var duration: Double?
    /// The volume, 0 to 1.
    package var volume = 1.0
    /// The keys that have an effect while something plays.
    package var keys = Set(MediaKey.allCases)

    /// A position and the time at which it was right.
    package struct Position: Hashable, Sendable {
        package var seconds: Double
        package var date: ContinuousClock.Instant

        /// Creates a position.
        package init(seconds: Double, date: ContinuousClock.Instant = .now) {
            (self.seconds, self.date) = (seconds, date)
        }
    }

    /// The position in seconds now.
    var currentPosition: Double {
        guard let position else { return 0 }
        let elapsed = isPaused ? 0 : position.date.duration(to: .now) / .seconds(1)
        return min(max(position.seconds + elapsed, 0), duration ?? .infinity)
    }

    /// Pauses or continues at the position of now.
    package mutating func setPaused(_ isPaused: Bool) {
        if position != nil { position = Position(seconds: currentPosition) }
        self.isPaused = isPaused
    }

    /// Creates a state in which nothing plays.
    package init(isPlaying: Bool = false) {
        self.isPlaying = isPlaying
    }
}

/// A key of the desktop.
package enum MediaKey: String, CaseIterable, Hashable, Sendable {
    case play = "Play"
    case pause = "Pause"
    case playPause = "PlayPause"
    case stop = "Stop"
    case next = "Next"
    case previous = "Previous"
}
