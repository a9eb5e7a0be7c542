package import Foundation
package import HomeIdentity

/// A hub's vault: a backup that is encrypted with a random passphrase, and the passphrase for each of the owner's devices. Only
/// their boxes open it.
package struct Vault: Sendable {
    private struct Line: Codable {
        struct Key: Codable {
            var to: UUID
            var enc: Data
            var ct: Data
        }

        var version: Int
        var house: HouseID
        var hub: UUID
        var vault: Int
        var time: Int
        var suite: String
        var keys: [Key]
    }

    /// All bytes.
    package var bytes: [UInt8] { signed.bytes }
    /// The house.
    package let house: HouseID
    /// The hub that signs.
    package let hub: UUID
    /// The number of the vault's version; a larger one is newer.
    package let number: Int
    /// The hub's time in milliseconds since 1970; 0 if its clock was never set.
    package let time: Int
    private let keys: [UUID: BoxMessage]
    private let signed: SignedLine

    /// The backup, a file in age's format.
    package var file: [UInt8] { signed.rest }

    /// Reads a vault. Returns `nil` if the bytes aren't one of this version. Its signature isn't checked.
    package init?(_ bytes: [UInt8]) {
        guard let signed = SignedLine(bytes, maximumLineBytes: FeedLimits.vaultLineBytes),
            let line = LineJSON.decode(Line.self, from: signed.line),
            line.version == FeedLimits.version, line.suite == BoxMessage.suiteName,
            (1...FeedLimits.maximumNumber).contains(line.vault)
        else { return nil }
        self.signed = signed
        house = line.house
        hub = line.hub
        number = line.vault
        time = line.time
        let messages = line.keys.map { ($0.to, BoxMessage(encapsulatedKey: Array($0.enc), ciphertext: Array($0.ct))) }
        keys = Dictionary(messages, uniquingKeysWith: { first, _ in first })
    }

    /// Signs a backup and encrypts its passphrase. A device whose box isn't a key is left out.
    ///
    /// - Parameters:
    ///   - file: The backup, a file in age's format.
    ///   - number: The number of the version.
    ///   - time: The hub's time in milliseconds since 1970; 0 if its clock was never set.
    package init(
        _ file: [UInt8],
        passphrase: String,
        for devices: [UUID: PublicBox],
        number: Int,
        at time: Int,
        of house: HouseID,
        hub: UUID,
        by hubKey: IdentityKey
    ) {
        var keys: [UUID: BoxMessage] = [:]
        for (device, box) in devices {
            keys[device] = box.seal(
                Array(passphrase.utf8),
                info: Self.info(house, number, device),
                authenticating: hubKey.publicKey.bytes
            )
        }
        let line = Line(
            version: FeedLimits.version,
            house: house,
            hub: hub,
            vault: number,
            time: time,
            suite: BoxMessage.suiteName,
            keys: keys.sorted { $0.key.uuidString < $1.key.uuidString }.map { device, message in
                Line.Key(to: device, enc: Data(message.encapsulatedKey), ct: Data(message.ciphertext))
            }
        )
        signed = SignedLine(LineJSON.encode(line), rest: file, by: hubKey, for: .vault)
        self.house = house
        self.hub = hub
        self.number = number
        self.time = time
        self.keys = keys
    }

    /// Returns whether a hub has signed the vault.
    package func isSigned(by hub: PublicKey) -> Bool { signed.isSigned(by: hub, for: .vault) }

    /// Returns the passphrase of ``file``; `nil` if it is for other devices, or from another hub.
    package func passphrase(for device: UUID, with box: BoxKey, from hub: PublicKey) -> String? {
        guard let message = keys[device] else { return nil }
        let info = Self.info(house, number, device)
        return box.open(message, info: info, authenticating: hub.bytes).flatMap {
            String(validating: $0, as: UTF8.self)
        }
    }

    /// The purpose that the passphrase is encrypted for: this house, version and device.
    private static func info(_ house: HouseID, _ number: Int, _ device: UUID) -> [UInt8] {
        Array(SigningContext.vault.text.utf8) + [0] + house.bytes
            + withUnsafeBytes(of: UInt64(number).bigEndian) { Array($0) }
            + withUnsafeBytes(of: device.uuid) { Array($0) }
    }
}
