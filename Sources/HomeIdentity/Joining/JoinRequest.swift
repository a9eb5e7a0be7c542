/// What a joining device tells of itself.
package struct JoinRequest: Hashable, Sendable, Codable {
    /// The kinds of devices that join.
    package enum Kind: String, Hashable, Sendable, Codable {
        /// A machine whose agent serves its apps.
        case agent
    }

    /// The device's name.
    package var name: String
    /// The kind of device.
    package var kind: Kind

    /// Creates a request.
    package init(name: String, kind: Kind = .agent) {
        self.name = name
        self.kind = kind
    }

    /// Whether the name has at least one character besides spaces, no control characters, and isn't too long.
    package var isValid: Bool {
        let scalars = name.unicodeScalars
        return name.utf8.count <= JoinLimits.maximumNameBytes
            && scalars.contains { !$0.properties.isWhitespace }
            && !scalars.contains { $0.properties.generalCategory == .control }
    }
}
