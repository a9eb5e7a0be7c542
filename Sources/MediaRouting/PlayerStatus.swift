/// What an app plays, as other programs of the same user see it.
package struct PlayerStatus: Codable, Hashable, Sendable {
    /// The maximum length of a text, in bytes. The rest is cut.
    package static let textLimit = 1_024

    /// The program's name.
    package var app = ""
    /// Whether a player plays.
    package var isPlaying = false
    /// Whether the app plays to the chosen receiver.
    package var isRouted = false
    /// Whether the app asks that receivers with video come first.
    package var prioritizesVideo = false
    /// The title.
    package var title: String?
    /// The artist.
    package var artist: String?
    /// The album.
    package var album: String?
    /// The number of the picture, which changes with it, or `nil` if there is none.
    package var artwork: Int?
    /// The time that was heard, in seconds, when the status was made. It advances while the app plays.
    package var elapsed: Double?
    /// The duration in seconds.
    package var duration: Double?
    /// The volume, 0 to 1, or `nil` if nobody has set it.
    package var volume: Double?
    /// The commands that the app handles, among ``PlayerCommand``.
    package var commands: [String] = []

    /// Creates an empty status.
    package init() {}

    /// The same status with texts within the limit and times and a volume that make sense.
    package var bounded: PlayerStatus {
        var status = self
        status.app = Self.cut(app) ?? ""
        status.title = Self.cut(title)
        status.artist = Self.cut(artist)
        status.album = Self.cut(album)
        status.elapsed = elapsed.flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }
        status.duration = duration.flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
        status.volume = volume.flatMap { $0.isFinite ? min(max($0, 0), 1) : nil }
        status.commands = PlayerCommand.allCases.map(\.rawValue).filter(Set(commands.prefix(16)).contains)
        return status
    }

    private static func cut(_ text: String?) -> String? {
        guard let text, text.utf8.count > textLimit else { return text }
        var bytes = text.utf8.prefix(textLimit)
        // A character isn't split: bytes that continue one are removed with its first byte.
        while let last = bytes.last, last & 0xC0 == 0x80 { bytes.removeLast() }
        if let last = bytes.last, last & 0x80 != 0 { bytes.removeLast() }
        return String(Substring(bytes))
    }
}

/// A command for an app that plays. The names are those of receivers' commands.
package enum PlayerCommand: String, CaseIterable, Codable, Sendable {
    /// Plays.
    case play
    /// Pauses.
    case pause
    /// Plays or pauses.
    case playPause = "playpause"
    /// Plays the next item.
    case next = "nextitem"
    /// Plays the previous item.
    case previous = "previtem"
}

/// The picture of what an app plays.
package struct PlayerArtwork: Codable, Hashable, Sendable {
    /// The maximum length of a picture in bytes. Longer ones aren't shown.
    package static let lengthLimit = 1 << 20

    /// The number of the picture, as in ``PlayerStatus/artwork``.
    package var number: Int
    /// The media type, `image/jpeg` or `image/png`.
    package var type: String
    /// The bytes in Base64.
    package var data: String
}
