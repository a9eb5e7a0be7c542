package import HubAPI
import HomeStore

/// A certificate of the hub that its store keeps, with its private key.
package enum StoredCertificate: String, Sendable {
    /// The hub's own authority. It is part of backups, so that devices still trust the hub after it was restored.
    case authority
    /// The certificate with which the hub serves HTTPS.
    case server
}

extension HomeHub {
    /// Returns a stored certificate with its private key; `nil` if there is none.
    package func certificate(_ name: StoredCertificate) async throws(HubError) -> [UInt8]? {
        do {
            return try await store.secret(Self.key(name))
        } catch {
            throw HubError(.storeFailure, "The hub's certificate can't be read: \(error)")
        }
    }

    /// Stores a certificate with its private key.
    package func setCertificate(_ bytes: [UInt8], as name: StoredCertificate) async throws(HubError) {
        do {
            try await store.setSecret(bytes, for: Self.key(name))
        } catch {
            throw HubError(.storeFailure, "The hub's certificate can't be stored: \(error)")
        }
    }

    private static func key(_ name: StoredCertificate) -> SecretKey {
        SecretKey(kind: .certificate, log: nil, name: name.rawValue)
    }
}
