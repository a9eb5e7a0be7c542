package import Foundation

/// What plays on the hub's machine, and where.
package struct MediaState: Hashable, Sendable, Codable {
    /// The names of the chosen receivers; none if audio stays on the hub's machine.
    package var routes: [String]
    /// The apps that play, and those that are paused.
    package var players: [MediaPlayer]
    /// The receivers on the network, by name; `nil` unless this connection looks for them.
    package var receivers: [MediaReceiver]?

    package init(routes: [String] = [], players: [MediaPlayer] = [], receivers: [MediaReceiver]? = nil) {
        self.routes = routes
        self.players = players
        self.receivers = receivers
    }
}

/// An app that plays, or is paused.
package struct MediaPlayer: Hashable, Sendable, Codable, Identifiable {
    /// An ID that lasts while the app runs.
    package var id: UUID
    /// The app's name.
    package var app: String
    /// Whether it plays.
    package var isPlaying: Bool
    /// Whether it plays to the chosen receiver.
    package var isRouted: Bool
    /// Whether it asks that receivers with video come first.
    package var prioritizesVideo: Bool
    /// The title; `nil` if the app doesn't report it.
    package var title: String?
    /// The artist; `nil` if the app doesn't report it.
    package var artist: String?
    /// The album; `nil` if the app doesn't report it.
    package var album: String?
    /// The number of the picture, which changes with it; `nil` if there is none.
    package var artwork: Int?
    /// The time that had been heard when the event was sent, in seconds. It advances while the app plays.
    package var elapsed: Double?
    /// The duration in seconds.
    package var duration: Double?
    /// The volume, 0 to 1; `nil` if nobody has set it.
    package var volume: Double?
    /// The commands that the app handles.
    package var commands: [String]

    package init(
        id: UUID,
        app: String,
        isPlaying: Bool,
        isRouted: Bool,
        prioritizesVideo: Bool = false,
        title: String? = nil,
        artist: String? = nil,
        album: String? = nil,
        artwork: Int? = nil,
        elapsed: Double? = nil,
        duration: Double? = nil,
        volume: Double? = nil,
        commands: [String] = []
    ) {
        self.id = id
        self.app = app
        self.isPlaying = isPlaying
        self.isRouted = isRouted
        self.prioritizesVideo = prioritizesVideo
        self.title = title
        self.artist = artist
        self.album = album
        self.artwork = artwork
        self.elapsed = elapsed
        self.duration = duration
        self.volume = volume
        self.commands = commands
    }
}

/// A receiver on the network.
package struct MediaReceiver: Hashable, Sendable, Codable, Identifiable {
    /// The receiver's ID.
    package var id: String
    /// The receiver's name.
    package var name: String
    /// Whether it plays video.
    package var playsVideo: Bool
    /// Whether it needs a password.
    package var needsPassword: Bool
    /// Whether it shows a PIN to senders that it doesn't know.
    package var needsPIN: Bool

    package init(id: String, name: String, playsVideo: Bool, needsPassword: Bool, needsPIN: Bool) {
        self.id = id
        self.name = name
        self.playsVideo = playsVideo
        self.needsPassword = needsPassword
        self.needsPIN = needsPIN
    }
}

/// Chooses receivers for the apps of the hub's machine.
package struct ChooseRoute: Hashable, Sendable, Codable {
    /// A change of the receivers that were chosen before.
    package enum Change: String, Hashable, Sendable, Codable {
        /// Apps play to this receiver only.
        case only
        /// Apps play to this receiver, too, in step.
        case add
        /// Apps play to this receiver no longer.
        case remove
    }

    /// The receiver's name or ID, 1 to 255 bytes; `nil` keeps audio on the hub's machine.
    package var receiver: String?
    /// What happens to the receivers that were chosen before; `nil` is ``Change/only``.
    package var change: Change?
    /// The receiver's password, at most 255 bytes. Without one, a question asks for it if the receiver needs it.
    package var password: String?
    /// A value of the client's own, at most ``SetUpAccessories/referenceLength`` characters, that the questions for a
    /// password or a PIN contain.
    package var reference: String?

    package init(
        _ receiver: String?,
        change: Change? = nil,
        password: String? = nil,
        reference: String? = nil
    ) {
        self.receiver = receiver
        self.change = change
        self.password = password
        self.reference = reference
    }
}

/// Gives a command to an app that plays.
package struct CommandMedia: Hashable, Sendable, Codable {
    /// The app's ID.
    package var player: UUID
    /// The command: `play`, `pause`, `playpause`, `nextitem` or `previtem`.
    package var command: String

    package init(_ command: String, player: UUID) {
        self.player = player
        self.command = command
    }
}

/// Sets the volume of an app that plays.
package struct SetMediaVolume: Hashable, Sendable, Codable {
    /// The app's ID.
    package var player: UUID
    /// The volume, 0 to 1.
    package var volume: Double

    package init(_ volume: Double, player: UUID) {
        self.player = player
        self.volume = volume
    }
}

/// Names an app that plays.
package struct MediaPlayerTarget: Hashable, Sendable, Codable {
    /// The app's ID.
    package var player: UUID

    package init(player: UUID) {
        self.player = player
    }
}

/// The picture of what an app plays.
package struct MediaArtwork: Hashable, Sendable, Codable {
    /// The number of the picture.
    package var number: Int
    /// The media type, `image/jpeg` or `image/png`.
    package var type: String
    /// The bytes in Base64.
    package var data: String

    package init(number: Int, type: String, data: String) {
        self.number = number
        self.type = type
        self.data = data
    }
}
