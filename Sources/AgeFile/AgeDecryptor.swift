internal import Crypto

/// A streaming decryptor for age files with a passphrase. It performs no I/O.
///
/// Don't trust the content before ``finish()`` returns, because only then is the file known to be complete.
package struct AgeDecryptor {
    private enum Stage {
        case header
        case payload(SymmetricKey)
    }

    private let passphrase: String
    private let limit: ScryptWorkFactor
    private var stage = Stage.header
    private var nonce = ChunkNonce()
    private var pending: [UInt8] = []

    /// Creates a decryptor.
    ///
    /// - Parameters:
    ///   - passphrase: The file's passphrase.
    ///   - limit: The maximum work factor for checking the passphrase.
    package init(passphrase: String, limit: ScryptWorkFactor = .limit) {
        (self.passphrase, self.limit) = (passphrase, limit)
    }

    /// Handles the next bytes of the file, and returns the content that could be decrypted.
    package mutating func update(_ piece: some Sequence<UInt8>) throws(AgeError) -> [UInt8] {
        pending += piece
        if case .header = stage { try readHeader() }
        guard case .payload(let key) = stage else { return [] }
        var content: [UInt8] = []
        var start = 0
        let length = AgeFormat.chunkLength + AgeFormat.tagLength
        while pending.count - start > length {
            content += try open(pending[start..<start + length], key, isLast: false)
            start += length
        }
        pending.removeFirst(start)
        return content
    }

    /// Handles the end of the file, and returns the rest of its content.
    package mutating func finish() throws(AgeError) -> [UInt8] {
        guard case .payload(let key) = stage else {
            // The header is incomplete: the file is truncated, or not an age file.
            throw Array(AgeFormat.version.utf8).starts(with: pending.prefix(AgeFormat.version.utf8.count))
                && !pending.isEmpty ? .truncated : .notAge
        }
        guard pending.count >= AgeFormat.tagLength else { throw .truncated }
        let isFirst = nonce.isFirst
        let content: [UInt8]
        let last = nonce
        do {
            content = try open(pending[...], key, isLast: true)
        } catch {
            // If it decrypts as a chunk that isn't the last one, the rest of the file is missing.
            nonce = last
            throw (try? open(pending[...], key, isLast: false)) == nil ? .damaged : .truncated
        }
        // Only a file without content ends with an empty chunk.
        guard !content.isEmpty || isFirst else { throw .damaged }
        pending = []
        return content
    }

    private mutating func readHeader() throws(AgeError) {
        guard let end = endOfHeader() else {
            let version = Array("\(AgeFormat.version)\n".utf8)
            guard pending.count < AgeFormat.maximumHeaderLength, version.starts(with: pending.prefix(version.count))
            else {
                throw .notAge
            }
            return
        }
        // The payload nonce follows the header.
        guard pending.count >= end + AgeFormat.payloadNonceLength else { return }
        let header = try AgeHeader(pending[..<end])
        guard header.workExponent <= limit.exponent else { throw .tooMuchWork(header.workExponent) }
        let payloadNonce = Array(pending[end..<end + AgeFormat.payloadNonceLength])
        stage = .payload(AgeKeys.payload(fileKey: try fileKey(of: header), nonce: payloadNonce))
        pending.removeFirst(end + AgeFormat.payloadNonceLength)
    }

    /// Returns the index after the header's last line, or `nil` if the header is incomplete.
    private func endOfHeader() -> Int? {
        let lineFeed = UInt8(ascii: "\n")
        var start = 0
        while let end = pending[start...].firstIndex(of: lineFeed) {
            if pending[start..<end].starts(with: Array("\(AgeFormat.macPrefix) ".utf8)) { return end + 1 }
            start = end + 1
        }
        return nil
    }

    private func fileKey(of header: AgeHeader) throws(AgeError) -> SymmetricKey {
        do {
            let wrapping = try AgeKeys.wrapping(
                passphrase: passphrase,
                salt: header.salt,
                workExponent: header.workExponent
            )
            let fileKey = SymmetricKey(data: try Self.open(header.wrappedKey[...], wrapping, AgeKeys.zeroNonce))
            let mac = AgeKeys.headerMAC(header.authenticated, fileKey: fileKey)
            guard mac == header.mac else { throw AgeError.wrongPassphrase }
            return fileKey
        } catch {
            throw .wrongPassphrase
        }
    }

    private mutating func open(
        _ chunk: ArraySlice<UInt8>,
        _ key: SymmetricKey,
        isLast: Bool
    ) throws(AgeError) -> [UInt8] {
        do {
            return try Self.open(chunk, key, Array(nonce.next(isLast: isLast)))
        } catch {
            throw .damaged
        }
    }

    private static func open(_ sealed: ArraySlice<UInt8>, _ key: SymmetricKey, _ nonce: [UInt8]) throws -> [UInt8] {
        let box = try ChaChaPoly.SealedBox(
            nonce: ChaChaPoly.Nonce(data: nonce),
            ciphertext: sealed.dropLast(AgeFormat.tagLength),
            tag: sealed.suffix(AgeFormat.tagLength)
        )
        return Array(try ChaChaPoly.open(box, using: key))
    }
}
