import Foundation

/// A line of JSON, a line with its signature in base64, and the bytes after them: the form of what hubs sign.
package struct SignedLine: Hashable, Sendable {
    /// The number of bytes of an Ed25519 signature.
    package static let signatureByteCount = 64
    /// The number of characters of a signature in base64.
    package static let signatureCharacters = 88

    /// The line, without the line feed at its end.
    package let line: [UInt8]
    /// The 64 bytes of the signature.
    package let signature: [UInt8]
    /// The bytes after the signature's line.
    package let rest: [UInt8]

    /// Splits bytes. Returns `nil` if they have another form.
    package init?(_ bytes: [UInt8], maximumLineBytes: Int) {
        guard let end = bytes.prefix(maximumLineBytes + 1).firstIndex(of: LineJSON.lineFeed) else { return nil }
        let signatureEnd = end + 1 + Self.signatureCharacters
        guard bytes.count > signatureEnd, bytes[signatureEnd] == LineJSON.lineFeed else { return nil }
        let text = Data(bytes[end + 1..<signatureEnd])
        // Base64 has several texts for some bytes. Only one is taken, so that nobody can alter a single byte.
        guard let signature = Data(base64Encoded: text), signature.count == Self.signatureByteCount,
            signature.base64EncodedData() == text
        else { return nil }
        line = Array(bytes[..<end])
        self.signature = Array(signature)
        rest = Array(bytes[(signatureEnd + 1)...])
    }

    /// Puts a line and its signature together. The signature isn't checked.
    init(_ line: [UInt8], signature: [UInt8]) {
        self.line = line
        self.signature = signature
        rest = []
    }

    /// Signs a line and the bytes after it.
    package init(_ line: [UInt8], rest: [UInt8] = [], by key: IdentityKey, for context: SigningContext) {
        self.line = line
        self.rest = rest
        signature = key.signature(of: Self.message(line, rest), for: context)
    }

    /// All bytes.
    package var bytes: [UInt8] {
        line + [LineJSON.lineFeed] + Array(Data(signature).base64EncodedData()) + [LineJSON.lineFeed] + rest
    }

    /// Returns whether a hub has signed the line and the bytes after it.
    package func isSigned(by key: PublicKey, for context: SigningContext) -> Bool {
        key.isValid(signature, of: Self.message(line, rest), for: context)
    }

    private static func message(_ line: [UInt8], _ rest: [UInt8]) -> [UInt8] { line + [LineJSON.lineFeed] + rest }
}
