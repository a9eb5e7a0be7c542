internal import Crypto
internal import HAP

/// The encryption of a stream's packets: ChaCha20-Poly1305, with the nonce at the end of each packet, which also protects
/// the timestamp and the source.
struct AudioCipher: Sendable {
    private static let nonceLength = 8
    private static let tagLength = 16
    private static let noncePadding: [UInt8] = [0, 0, 0, 0]

    private let key: SymmetricKey

    /// Creates the encryption with the stream's key.
    init(_ key: FrameKey) {
        self.key = SymmetricKey(data: key.bytes)
    }

    private static func protected(_ timestamp: UInt32, _ source: UInt32) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(bigEndian: timestamp)
        bytes.append(bigEndian: source)
        return bytes
    }

    /// Encrypts a packet's frames. Returns `nil` if the library fails.
    func seal(_ payload: [UInt8], timestamp: UInt32, source: UInt32, nonce: UInt64) -> [UInt8]? {
        let nonceBytes = (0..<Self.nonceLength).map { UInt8(truncatingIfNeeded: nonce >> UInt64($0 * 8)) }
        guard let nonce = try? ChaChaPoly.Nonce(data: Self.noncePadding + nonceBytes),
            let box = try? ChaChaPoly.seal(
                payload,
                using: key,
                nonce: nonce,
                authenticating: Self.protected(timestamp, source)
            )
        else { return nil }
        return Array(box.ciphertext) + Array(box.tag) + nonceBytes
    }

    /// Decrypts a packet. Returns `nil` if it was altered or sealed with another key.
    func open(_ packet: AudioPacket) -> (payload: [UInt8], nonce: UInt64)? {
        let sealed = packet.payload
        guard sealed.count >= Self.tagLength + Self.nonceLength else { return nil }
        let nonceBytes = sealed.suffix(Self.nonceLength)
        let body = sealed.dropLast(Self.nonceLength)
        guard let nonce = try? ChaChaPoly.Nonce(data: Self.noncePadding + nonceBytes),
            let box = try? ChaChaPoly.SealedBox(
                nonce: nonce,
                ciphertext: body.dropLast(Self.tagLength),
                tag: body.suffix(Self.tagLength)
            ),
            let payload = try? ChaChaPoly.open(
                box,
                using: key,
                authenticating: Self.protected(packet.timestamp, packet.source)
            )
        else { return nil }
        return (Array(payload), nonceBytes.reversed().reduce(0) { $0 << 8 | UInt64($1) })
    }
}
