/// What a joining device tells of itself.
package struct JoinRequest: Hashable, Sendable, Codable {
    /// The kinds of devices that join.
    package enum Kind: String, Hashable, Sendable, Codable {
        /// A machine whose agent serves its apps.
        case agent
        /// Another hub, which keeps the homes together with this one.
        case hub
    }

    /// The device's name.
    package var name: String
    /// The kind of device.
    package var kind: Kind
    /// What others encrypt for a hub; `nil` for a device.
    package var box: PublicBox?

    /// Creates the request of a device.
    package init(name: String) {
        self.name = name
        kind = .agent
    }

    /// Creates the request of a hub.
    package init(hub name: String, box: PublicBox) {
        self.name = name
        self.box = box
        kind = .hub
    }

    /// Whether the name has at least one character besides spaces, no control characters, and isn't too long, and only a hub
    /// has a box.
    package var isValid: Bool { isNameValid && (kind == .hub ? box?.isKey == true : box == nil) }

    private var isNameValid: Bool {
        let scalars = name.unicodeScalars
        return name.utf8.count <= JoinLimits.maximumNameBytes
            && scalars.contains { !$0.properties.isWhitespace }
            && !scalars.contains { $0.properties.generalCategory == .control }
    }
}
