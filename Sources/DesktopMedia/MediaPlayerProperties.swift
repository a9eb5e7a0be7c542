/// The names of the Media Player Remote Interfacing Specification, and the properties that a state has in it.
enum MediaPlayerProperties {
    static let path = "/org/mpris/MediaPlayer2"
    static let name = "org.mpris.MediaPlayer2"
    static let player = "org.mpris.MediaPlayer2.Player"
    static let properties = "org.freedesktop.DBus.Properties"
    static let changed = "PropertiesChanged"

    private static let track = "/org/hearth/track"
    /// The maximum length of a program's name in that of a service, whose limit is 255 characters.
    private static let nameElementLimit = 64

    /// Returns a program's name as an element of a bus name.
    static func nameElement(_ program: String) -> String {
        let characters = program.prefix(nameElementLimit).map { character in
            character.isASCII && (character.isLetter || character.isNumber) ? character : "_"
        }
        let name = String(characters)
        return name.first?.isNumber ?? true ? "_" + name : name
    }

    /// Returns the properties of an interface, or `nil` if there is no such interface.
    static func values(of interface: String, _ state: MediaPlayerState, identity: String) -> [String: BusValue]? {
        switch interface {
        case name:
            [
                "Identity": .text(identity), "CanQuit": .flag(false), "CanRaise": .flag(false),
                "HasTrackList": .flag(false), "SupportedUriSchemes": .texts([]), "SupportedMimeTypes": .texts([]),
            ]
        case player:
            [
                "PlaybackStatus": .text(status(state)), "Metadata": metadata(state), "Volume": .number(state.volume),
                "Position": .integer(microseconds(state.currentPosition)), "Rate": .number(1),
                "MinimumRate": .number(1), "MaximumRate": .number(1), "CanGoNext": .flag(takes(state, .next)),
                "CanGoPrevious": .flag(takes(state, .previous)), "CanPlay": .flag(takes(state, .play, .playPause)),
                "CanPause": .flag(takes(state, .pause, .playPause)), "CanSeek": .flag(false),
                "CanControl": .flag(true),
            ]
        default: nil
        }
    }

    private static func takes(_ state: MediaPlayerState, _ keys: MediaKey...) -> Bool {
        state.isPlaying && !state.keys.isDisjoint(with: keys)
    }

    private static func status(_ state: MediaPlayerState) -> String {
        state.isPlaying ? state.isPaused ? "Paused" : "Playing" : "Stopped"
    }

    private static func microseconds(_ seconds: Double) -> Int64 { Int64(min(max(seconds, 0), 1e9) * 1e6) }

    private static func metadata(_ state: MediaPlayerState) -> BusValue {
        guard state.isPlaying else { return .dictionary([:]) }
        var values: [String: BusValue] = ["mpris:trackid": .path(track)]
        if let title = state.title { values["xesam:title"] = .text(title) }
        if let artist = state.artist { values["xesam:artist"] = .texts([artist]) }
        if let album = state.album { values["xesam:album"] = .text(album) }
        if let duration = state.duration { values["mpris:length"] = .integer(microseconds(duration)) }
        if let artwork = state.artwork { values["mpris:artUrl"] = .text("file://\(artwork)") }
        return .dictionary(values)
    }
}
