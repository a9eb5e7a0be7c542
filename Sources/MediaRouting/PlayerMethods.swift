package import Foundation
package import LocalRPC

/// The methods that an app serves on its socket, for other programs of the same user.
package enum PlayerMethods {
    /// Returns what the app plays, and sends a ``PlayerEvent`` at each change from now on.
    package static let follow = Method<Empty, PlayerStatus>("player.follow", for: .people, by: .oneself, from: .here)
    /// Passes a command to the app's handlers.
    package static let command = Method<PlayerCommandCall, Empty>(
        "player.command",
        for: .people,
        by: .oneself,
        from: .here
    )
    /// Sets the volume.
    package static let setVolume = Method<PlayerVolume, Empty>(
        "player.setVolume",
        for: .people,
        by: .oneself,
        from: .here
    )
    /// Returns the picture of what plays.
    package static let artwork = Method<Empty, PlayerArtwork>("player.artwork", for: .people, by: .oneself, from: .here)
    /// Tells the app whether a picker shows receivers to the user. The end of the connection closes the picker.
    package static let present = Method<PlayerPresentation, Empty>(
        "player.present",
        for: .people,
        by: .oneself,
        from: .here
    )
}

/// A command for an app.
package struct PlayerCommandCall: Codable, Hashable, Sendable {
    /// The command.
    package var command: PlayerCommand
}

/// A volume.
package struct PlayerVolume: Codable, Hashable, Sendable {
    /// The volume, 0 to 1.
    package var volume: Double
}

/// Whether a picker shows receivers.
package struct PlayerPresentation: Codable, Hashable, Sendable {
    /// Whether it does.
    package var isPresented: Bool
}

/// An event that an app sends to those who follow what it plays.
package enum PlayerEvent: RPCEvent {
    package typealias Position = Never

    /// What the app plays has changed.
    case status(PlayerStatus)

    private static let name = "status"

    package var method: String { Self.name }
    package var isReset: Bool { true }

    package init?(method: String, payload: Data) throws {
        guard method == Self.name else { return nil }
        self = .status(try JSONDecoder().decode(PlayerStatus.self, from: payload))
    }

    package func payload() throws -> Data {
        switch self {
        case .status(let status): try JSONEncoder().encode(status)
        }
    }

    package static func json(_ positions: [Never]) -> String { "" }
}
