internal import Crypto

/// A streaming encryptor for age files with a passphrase. It performs no I/O; write the results of its methods to the
/// file in order.
package struct AgeEncryptor {
    private let key: SymmetricKey
    private var nonce = ChunkNonce()
    private var pending: [UInt8] = []
    private var prefix: [UInt8]

    /// Creates an encryptor. This takes time and memory; see ``ScryptWorkFactor``.
    ///
    /// - Parameters:
    ///   - passphrase: The file's passphrase.
    ///   - work: The work factor for checking a passphrase.
    ///   - random: The generator for keys, salt and nonce, which must be cryptographically secure.
    package init(
        passphrase: String,
        work: ScryptWorkFactor = .standard,
        random: inout some RandomNumberGenerator
    ) throws {
        func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) } }
        let (fileKey, salt) = (SymmetricKey(data: bytes(AgeFormat.fileKeyLength)), bytes(AgeFormat.saltLength))
        let wrapping = try AgeKeys.wrapping(passphrase: passphrase, salt: salt, workExponent: work.exponent)
        let wrapped = try fileKey.withUnsafeBytes { fileKey in
            try ChaChaPoly.seal(fileKey, using: wrapping, nonce: ChaChaPoly.Nonce(data: AgeKeys.zeroNonce))
        }
        var header = AgeHeader(salt: salt, work: work, wrappedKey: Array(wrapped.ciphertext + wrapped.tag))
        header.mac = Array(AgeKeys.headerMAC(header.authenticated, fileKey: fileKey))
        let payloadNonce = bytes(AgeFormat.payloadNonceLength)
        key = AgeKeys.payload(fileKey: fileKey, nonce: payloadNonce)
        prefix = header.bytes + payloadNonce
    }

    /// Handles the next bytes of the content, and returns the bytes that are ready to write.
    package mutating func update(_ content: some Sequence<UInt8>) throws -> [UInt8] {
        pending += content
        var output = removePrefix()
        var start = 0
        // Seal a chunk only once more content follows, because the last chunk is sealed differently.
        while pending.count - start > AgeFormat.chunkLength {
            output += try seal(pending[start..<start + AgeFormat.chunkLength], isLast: false)
            start += AgeFormat.chunkLength
        }
        pending.removeFirst(start)
        return output
    }

    /// Handles the end of the content, and returns the rest of the file.
    package mutating func finish() throws -> [UInt8] {
        let output = removePrefix() + (try seal(pending[...], isLast: true))
        pending = []
        return output
    }

    private mutating func removePrefix() -> [UInt8] {
        defer { prefix = [] }
        return prefix
    }

    private mutating func seal(_ chunk: ArraySlice<UInt8>, isLast: Bool) throws -> [UInt8] {
        let box = try ChaChaPoly.seal(chunk, using: key, nonce: nonce.next(isLast: isLast))
        return Array(box.ciphertext + box.tag)
    }
}
