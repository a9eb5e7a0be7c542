/// The icon of a scene, by name. Unknown values are preserved: a client that doesn't know the icon shows its own.
package struct SceneIcon: Hashable, Sendable, Codable, RawRepresentable {
    /// The icon's name in logs and messages.
    package var rawValue: String

    /// Creates an icon from its name.
    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The names that users can choose, in the order in which to offer them.
    package static let choices = [
        "house", "leave", "arrive", "sunrise", "sun", "sunset", "moon", "bed", "lamp", "book", "film", "music", "game",
        "dinner", "coffee", "party", "work", "clean", "bath", "garden", "plant", "fire", "snow", "fan", "lock",
        "shield",
        "car", "travel", "child", "pet", "heart", "star",
    ]
    .map { SceneIcon(rawValue: $0) }
}
