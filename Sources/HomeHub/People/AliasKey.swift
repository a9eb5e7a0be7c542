import Crypto
import Foundation
import HomeStore
import HubAPI

/// The hub's secret for deriving the aliases under which users appear to apps, created at its first start and stored.
///
/// Each home has its own key derived from it, so that one home's key can be shared without the others'.
struct AliasKey: Sendable {
    private static let length = 32
    private static let purpose = Array("hearth home alias key 1".utf8)

    private let key: SymmetricKey

    init(_ bytes: [UInt8]) {
        key = SymmetricKey(data: bytes)
    }

    static func load(from store: HomeStore) async throws -> AliasKey {
        let secret = SecretKey(kind: .aliases, log: nil)
        if let bytes = try await store.secret(secret) { return AliasKey(bytes) }
        let bytes = SymmetricKey(size: SymmetricKeySize(bitCount: length * 8)).withUnsafeBytes { Array($0) }
        try await store.setSecret(bytes, for: secret)
        return AliasKey(bytes)
    }

    /// Returns the HMAC-SHA256 of a message under the key of a home. That key is the HMAC-SHA256, under the hub's key,
    /// of the purpose and the home's ID.
    func authenticate(_ message: [UInt8], in home: UUID) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: message, using: SymmetricKey(data: homeKey(home))))
    }

    /// Returns the key of a home. With it, an agent derives the same aliases as the hub.
    func homeKey(_ home: UUID) -> [UInt8] {
        let name = withUnsafeBytes(of: home.uuid) { Self.purpose + Array($0) }
        return Array(HMAC<SHA256>.authenticationCode(for: name, using: key))
    }

    /// Returns a session's projection.
    func projection(for user: UUID, app: String, _ kind: SessionKind) -> Projection {
        Projection(user: user, app: app, kind: kind) { authenticate($0, in: $1) }
    }
}
