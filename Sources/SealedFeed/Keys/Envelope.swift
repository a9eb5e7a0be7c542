package import Foundation
package import HomeIdentity

/// A generation's key for one device, signed by the hub. Only the device's box opens it.
package struct Envelope: Hashable, Sendable {
    private struct Line: Codable {
        var version: Int
        var house: HouseID
        var feed: FeedID
        var hub: UUID
        var gen: Int
        var to: UUID
        var suite: String
        var enc: Data
        var ct: Data
    }

    /// All bytes.
    package let bytes: [UInt8]
    /// The feed.
    package let address: FeedAddress
    /// The hub that signs.
    package let hub: UUID
    /// The generation.
    package let generation: Int
    /// The device.
    package let device: UUID
    private let message: BoxMessage
    private let signed: SignedLine

    /// Reads an envelope. Returns `nil` if the bytes aren't an envelope of this version. Its signature isn't checked.
    package init?(_ bytes: [UInt8]) {
        guard let signed = SignedLine(bytes, maximumLineBytes: FeedLimits.envelopeBytes), signed.rest.isEmpty,
            let line = LineJSON.decode(Line.self, from: signed.line),
            line.version == FeedLimits.version, line.suite == BoxMessage.suiteName,
            (1...FeedLimits.maximumNumber).contains(line.gen),
            line.enc.count == BoxMessage.encapsulatedKeyByteCount,
            line.ct.count == GenerationKey.byteCount + BoxMessage.tagByteCount
        else { return nil }
        self.bytes = bytes
        self.signed = signed
        address = FeedAddress(house: line.house, feed: line.feed)
        hub = line.hub
        generation = line.gen
        device = line.to
        message = BoxMessage(encapsulatedKey: Array(line.enc), ciphertext: Array(line.ct))
    }

    /// Encrypts and signs a key for a device. Returns `nil` if the device's box isn't a key.
    init?(
        _ key: GenerationKey,
        generation: Int,
        of address: FeedAddress,
        to device: UUID,
        _ box: PublicBox,
        hub: UUID,
        by hubKey: IdentityKey
    ) {
        let info = Self.info(address, generation, device)
        guard let message = box.seal(key.bytes, info: info, authenticating: hubKey.publicKey.bytes) else { return nil }
        let line = Line(
            version: FeedLimits.version,
            house: address.house,
            feed: address.feed,
            hub: hub,
            gen: generation,
            to: device,
            suite: BoxMessage.suiteName,
            enc: Data(message.encapsulatedKey),
            ct: Data(message.ciphertext)
        )
        signed = SignedLine(LineJSON.encode(line), by: hubKey, for: .envelope)
        bytes = signed.bytes
        self.address = address
        self.hub = hub
        self.generation = generation
        self.device = device
        self.message = message
    }

    /// Returns whether a hub has signed the envelope.
    package func isSigned(by hub: PublicKey) -> Bool { signed.isSigned(by: hub, for: .envelope) }

    /// Returns the key; `nil` if the envelope is for another box or from another hub.
    package func open(with box: BoxKey, from hub: PublicKey) -> GenerationKey? {
        let info = Self.info(address, generation, device)
        return box.open(message, info: info, authenticating: hub.bytes).flatMap { GenerationKey($0) }
    }

    /// The purpose that the key is encrypted for: this feed, generation and device.
    private static func info(_ address: FeedAddress, _ generation: Int, _ device: UUID) -> [UInt8] {
        Array(SigningContext.envelope.text.utf8) + [0] + address.house.bytes + address.feed.bytes
            + withUnsafeBytes(of: UInt64(generation).bigEndian) { Array($0) }
            + withUnsafeBytes(of: device.uuid) { Array($0) }
    }
}

extension BoxMessage {
    /// The name of the cipher suite: HPKE's X-Wing, HKDF-SHA256 and AES-256-GCM.
    static let suiteName = "xwing-sha256-aes256gcm"
}
