import Crypto
package import Foundation
package import HAP

extension IdentityKey {
    /// The numbers of bytes of a pairing identifier's UUID.
    private static let identifierByteCount = 16

    /// Returns the controller as which a hub that joined others appears to the accessories of a home.
    ///
    /// It follows from the hub's key, so that it is in the hub's backups and leaves the hub nowhere else: HKDF-SHA256 of the
    /// key's seed, with the salt `controller` and the home's UUID in capitals as info. The first 32 bytes are the seed of the
    /// long-term key, the next 16 the UUID that is the pairing identifier.
    package func controller(of home: UUID) -> ControllerIdentity {
        let bytes = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: seed),
            salt: Array("controller".utf8),
            info: Array(home.uuidString.utf8),
            outputByteCount: Self.seedByteCount + Self.identifierByteCount
        )
        .withUnsafeBytes { Array($0) }
        let identifier = bytes.dropFirst(Self.seedByteCount).withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) }
        guard let keyPair = LongTermKeyPair(seed: Array(bytes.prefix(Self.seedByteCount))),
            let pairingID = PairingID(UUID(uuid: identifier).uuidString)
        else { preconditionFailure("a seed has 32 bytes, and a UUID is an identifier") }
        return ControllerIdentity(pairingID: pairingID, keyPair: keyPair)
    }
}
