import Foundation

/// A device that is signed in. Devices that stay signed in are stored in this form.
struct SignedInDevice: Hashable, Sendable, Codable {
    /// The number of earlier credentials that are recognized.
    static let knownCredentials = 32

    /// The outcome of presenting a credential.
    enum Credential: Hashable, Sendable {
        /// It is the current one.
        case current
        /// It is the one before the current one.
        case former
        /// It was replaced earlier: somebody has a copy.
        case old
        /// The device never had it.
        case unknown
    }

    /// The ID.
    let id: UUID
    /// The user.
    let user: UUID
    /// The name that the user gave it.
    var name: String
    /// When it signed in.
    let added: Date
    /// When it last used the hub.
    var lastUse: Date
    /// The digests of its credentials, the current one last; empty if it doesn't stay signed in.
    private(set) var credentials: [[UInt8]] = []

    init(id: UUID = UUID(), user: UUID, name: String, added: Date) {
        self.id = id
        self.user = user
        self.name = name
        self.added = added
        lastUse = added
    }

    /// Whether the device stays signed in.
    var staysSignedIn: Bool { !credentials.isEmpty }

    /// Replaces the credential.
    mutating func setCredential(_ digest: [UInt8]) {
        credentials.append(digest)
        credentials.removeFirst(max(0, credentials.count - Self.knownCredentials))
    }

    /// Returns whether another state of the device has the same current credential.
    func hasSameCredential(as other: SignedInDevice) -> Bool { credentials.last == other.credentials.last }

    /// Returns what a credential is.
    func status(of digest: [UInt8]) -> Credential {
        guard let index = credentials.lastIndex(of: digest) else { return .unknown }
        return switch credentials.count - index {
        case 1: .current
        case 2: .former
        default: .old
        }
    }
}
