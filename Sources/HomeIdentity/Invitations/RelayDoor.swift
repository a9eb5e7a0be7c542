import Crypto
import HAP

/// A door of a hub at its relay, as an invitation link has it: whoever has the seed may open pipes to the hub there, while the
/// invitation lasts. The relay gets the public key alone, which tells nothing of the invitation's secret.
///
/// Printing it doesn't reveal the seed.
package struct RelayDoor: Hashable, Sendable, Codable, Redacted {
    /// The number of bytes of a seed.
    package static let seedByteCount = 16
    /// The maximum number of bytes of the relay's address.
    package static let maximumAddressBytes = 100

    /// The relay's address, such as `https://relay.example.org`.
    package let relay: String
    /// The hub at the relay.
    package let house: HouseID
    /// The 16 bytes from which the key follows.
    package let seed: [UInt8]

    /// Creates a door. Returns `nil` unless the seed has 16 bytes, and the address 1 to 100 of ASCII.
    package init?(relay: String, house: HouseID, seed: some Sequence<UInt8>) {
        let seed = Array(seed)
        guard seed.count == Self.seedByteCount, (1...Self.maximumAddressBytes).contains(relay.utf8.count),
            relay.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        self.relay = relay
        self.house = house
        self.seed = seed
    }

    /// Creates a door with a random seed. Returns `nil` if the address is too long for a link.
    package init?(relay: String, house: HouseID) {
        var generator = SystemRandomNumberGenerator()
        self.init(relay: relay, house: house, seed: generator.bytes(Self.seedByteCount))
    }

    /// The key as which a device opens the door: HKDF-SHA256 of the seed, with the salt `relay door` and the house as info.
    package var key: IdentityKey {
        let bytes = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: seed),
            salt: Array("relay door".utf8),
            info: house.bytes,
            outputByteCount: IdentityKey.seedByteCount
        )
        .withUnsafeBytes { Array($0) }
        guard let key = IdentityKey(seed: bytes) else { preconditionFailure("a seed has 32 bytes") }
        return key
    }
}
