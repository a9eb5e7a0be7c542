import Crypto
import Foundation
import HomeStore
import HubAPI

/// The hub's secret from which the IDs follow under which people appear to apps; made at the hub's first start and kept.
///
/// Each home has a key of its own that follows from it, so that one home's can be given away without the others'.
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

    /// HMAC-SHA256 of a message under the key of a home, which is the HMAC-SHA256 of its purpose and the home under the
    /// hub's.
    func authenticate(_ message: [UInt8], in home: UUID) -> [UInt8] {
        let name = withUnsafeBytes(of: home.uuid) { Self.purpose + Array($0) }
        let homeKey = SymmetricKey(data: HMAC<SHA256>.authenticationCode(for: name, using: key))
        return Array(HMAC<SHA256>.authenticationCode(for: message, using: homeKey))
    }

    /// What a session is shown.
    func projection(for user: UUID, app: String, _ kind: SessionKind) -> Projection {
        Projection(user: user, app: app, kind: kind) { authenticate($0, in: $1) }
    }
}
