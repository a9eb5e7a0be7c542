/// What the desktop shows about what plays.
package struct MediaPlayerState: Hashable, Sendable {
    /// Whether something plays.
    package var isPlaying = false
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

    /// Creates a state in which nothing plays.
    package init(isPlaying: Bool = false) {
        self.isPlaying = isPlaying
    }
}

/// A key of the desktop.
package enum MediaKey: String, Hashable, Sendable {
    case play = "Play"
    case pause = "Pause"
    case playPause = "PlayPause"
    case stop = "Stop"
    case next = "Next"
    case previous = "Previous"
}
