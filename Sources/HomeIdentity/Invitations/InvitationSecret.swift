package import HAP

/// What a person who is invited, or adds a device, knows. The hub stores only a verifier of it. Printing it doesn't
/// reveal the secret.
package enum InvitationSecret: Hashable, Sendable, Redacted {
    /// Eight digits, which are read aloud or off a screen and last for minutes.
    case code(SetupCode)
    /// The 80 bits of a link, which lasts for days.
    case link(LinkSecret)

    /// Draws the secret of a code.
    package static func randomCode() -> InvitationSecret { .code(.random()) }

    /// Draws the secret of a link.
    package static func randomLink() -> InvitationSecret { .link(LinkSecret()) }

    /// The secret as text: the digits with dashes, or 16 characters. It is also the password of the exchange.
    package var text: String {
        switch self {
        case .code(let code): code.dashed
        case .link(let secret): secret.text
        }
    }

    /// Whether people compare digits on both sides, because somebody else may have read the secret on its way.
    package var comparesDigits: Bool {
        switch self {
        case .code: false
        case .link: true
        }
    }
}

/// The secret of a link: 80 bits, as 16 characters of Crockford's base 32. Printing it doesn't reveal the secret.
package struct LinkSecret: Hashable, Sendable, Redacted {
    /// The number of characters.
    package static let length = 16
    /// The number of bytes.
    package static let byteCount = 10

    /// The 10 bytes.
    package let bytes: [UInt8]

    /// Draws a secret.
    package init() {
        var generator = SystemRandomNumberGenerator()
        bytes = generator.bytes(Self.byteCount)
    }

    /// Creates a secret from its bytes. Returns `nil` unless there are 10.
    package init?(_ bytes: some Sequence<UInt8>) {
        let bytes = Array(bytes)
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }

    /// Reads a secret as a user types it. Returns `nil` unless it has 16 characters.
    package init?(_ text: String) {
        let text = CrockfordBase32.normalized(text.prefix(2 * Self.length))
        guard text.count == Self.length, let bytes = CrockfordBase32.decode(text) else { return nil }
        self.init(bytes)
    }

    /// The 16 characters.
    package var text: String { CrockfordBase32.encode(bytes) }
}
