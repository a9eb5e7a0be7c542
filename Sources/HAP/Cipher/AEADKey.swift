internal import Crypto

/// A ChaCha20-Poly1305 key (RFC 8439). Sealed bytes are the ciphertext followed by its tag.
///
/// It is an implementation of its own because HAP's messages are short: swift-crypto copies each several times, which
/// takes ten times as long as encrypting it. It takes pointers, so that callers encrypt from and into the buffers that
/// they have.
struct AEADKey: Sendable, Redacted {
    /// The key. The library overwrites its memory when it is released.
    private let key: SymmetricKey

    /// The length of a tag in bytes.
    static let tagLength = 16

    /// - Parameter bytes: 32 bytes.
    init(_ bytes: [UInt8]) {
        precondition(bytes.count == FrameKey.length)
        key = SymmetricKey(data: bytes)
    }

    /// Encrypts a plaintext, and writes the ciphertext and the tag to `output`, which has exactly their length.
    func seal(
        _ plaintext: UnsafeRawBufferPointer,
        nonce: AEADNonce,
        authenticating additionalData: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) {
        precondition(output.count == plaintext.count + Self.tagLength)
        withCipher(nonce: nonce, length: plaintext.count) { cipher, stream in
            var authenticator = Poly1305(key: UnsafeRawBufferPointer(stream))
            Self.apply(cipher, stream, to: plaintext, into: output)
            let ciphertext = UnsafeRawBufferPointer(rebasing: output.dropLast(Self.tagLength))
            let tag = authenticator.tag(of: ciphertext, additionalData)
            output.storeBytes(of: tag, toByteOffset: ciphertext.count, as: SIMD2<UInt64>.self)
        }
    }

    /// Decrypts a ciphertext with its tag, and writes the plaintext to `output`, which has exactly its length.
    ///
    /// - Returns: `false`, without writing anything, if the bytes were altered or sealed with another key, nonce or
    ///   additional data.
    func open(
        _ sealed: UnsafeRawBufferPointer,
        nonce: AEADNonce,
        authenticating additionalData: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) -> Bool {
        guard sealed.count >= Self.tagLength else { return false }
        precondition(output.count == sealed.count - Self.tagLength)
        let ciphertext = UnsafeRawBufferPointer(rebasing: sealed.dropLast(Self.tagLength))
        let tag = sealed.loadUnaligned(fromByteOffset: ciphertext.count, as: SIMD2<UInt64>.self)
        return withCipher(nonce: nonce, length: ciphertext.count) { cipher, stream in
            var authenticator = Poly1305(key: UnsafeRawBufferPointer(stream))
            let difference = authenticator.tag(of: ciphertext, additionalData) ^ tag
            // Both limbs are compared, so that the time doesn't depend on where the tags differ.
            guard difference[0] | difference[1] == 0 else { return false }
            Self.apply(cipher, stream, to: ciphertext, into: output)
            return true
        }
    }

    /// Calls `body` with the cipher and its first blocks. Block 0 is the authenticator's key; the others are for a
    /// message of the given length.
    private func withCipher<Result>(
        nonce: AEADNonce,
        length: Int,
        _ body: (ChaCha20, UnsafeMutableRawBufferPointer) -> Result
    ) -> Result {
        let cipher = ChaCha20(key: key.withUnsafeBytes { $0.loadUnaligned(as: SIMD8<UInt32>.self) }, nonce: nonce)
        return withUnsafeTemporaryAllocation(byteCount: ChaCha20.batchLength, alignment: 16) { stream in
            cipher.write(from: 0, length: ChaCha20.blockLength + length, to: stream)
            return body(cipher, stream)
        }
    }

    /// Combines bytes with the key stream from block 1 on.
    ///
    /// - Parameter stream: The first batch of blocks, which the following ones overwrite.
    private static func apply(
        _ cipher: ChaCha20,
        _ stream: UnsafeMutableRawBufferPointer,
        to input: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) {
        var index = 0
        var block: UInt32 = 1
        while index < input.count {
            if block % ChaCha20.batchSize == 0 {
                cipher.write(from: block, length: input.count - index, to: stream)
            }
            let first = Int(block % ChaCha20.batchSize) * ChaCha20.blockLength
            let count = min(input.count - index, stream.count - first)
            combine(
                UnsafeRawBufferPointer(rebasing: input[index..<index + count]),
                UnsafeRawBufferPointer(rebasing: stream[first...]),
                into: UnsafeMutableRawBufferPointer(rebasing: output[index...])
            )
            index += count
            block = block / ChaCha20.batchSize * ChaCha20.batchSize + ChaCha20.batchSize
        }
    }

    /// Writes `input` XOR `stream` to `output`.
    private static func combine(
        _ input: UnsafeRawBufferPointer,
        _ stream: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) {
        typealias Part = SIMD2<UInt64>
        var index = 0
        while index + MemoryLayout<Part>.size <= input.count {
            let part =
                input.loadUnaligned(fromByteOffset: index, as: Part.self)
                ^ stream.loadUnaligned(fromByteOffset: index, as: Part.self)
            output.storeBytes(of: part, toByteOffset: index, as: Part.self)
            index += MemoryLayout<Part>.size
        }
        while index < input.count {
            output[index] = input[index] ^ stream[index]
            index += 1
        }
    }
}

extension Poly1305 {
    /// Returns the tag of a ciphertext and additional data (RFC 8439, section 2.8).
    fileprivate mutating func tag(
        of ciphertext: UnsafeRawBufferPointer,
        _ additionalData: UnsafeRawBufferPointer
    ) -> SIMD2<UInt64> {
        add(additionalData)
        add(ciphertext)
        add(UInt64(additionalData.count), UInt64(ciphertext.count))
        return tag
    }
}

extension AEADKey {
    /// Encrypts the payload of a pairing message.
    func seal(_ plaintext: [UInt8], nonce: MessageNonce) -> [UInt8] {
        let length = plaintext.count + Self.tagLength
        return [UInt8](unsafeUninitializedCapacity: length) { output, count in
            let output = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(output)[..<length])
            plaintext.withUnsafeBytes { plaintext in
                seal(plaintext, nonce: AEADNonce(nonce), authenticating: Self.noData, into: output)
            }
            count = length
        }
    }

    /// Decrypts the payload of a pairing message. Returns `nil` if it was altered or sealed with another key.
    func open(_ sealed: [UInt8], nonce: MessageNonce) -> [UInt8]? {
        let length = sealed.count - Self.tagLength
        guard length >= 0 else { return nil }
        var isOpened = false
        let plaintext = [UInt8](unsafeUninitializedCapacity: length) { output, count in
            let output = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(output)[..<length])
            isOpened = sealed.withUnsafeBytes { sealed in
                open(sealed, nonce: AEADNonce(nonce), authenticating: Self.noData, into: output)
            }
            count = isOpened ? length : 0
        }
        return isOpened ? plaintext : nil
    }

    private static var noData: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: nil, count: 0) }
}
