import Foundation
import HomeIdentity

/// A line of JSON, a line with its signature in base64, and the bytes after them: the form of entries, envelopes and beats.
struct SignedLine: Hashable, Sendable {
    /// The keys that the line of every version has. So an unknown version is believed only if the hub has signed it.
    struct Preamble: Codable {
        var version: Int
        var house: HouseID
        var feed: FeedID
        var hub: UUID
    }

    /// The line, without the line feed at its end.
    let line: [UInt8]
    /// The 64 bytes of the signature.
    let signature: [UInt8]
    /// The bytes after the signature's line.
    let rest: [UInt8]

    /// Splits bytes. Returns `nil` if they have another form.
    init?(_ bytes: [UInt8], maximumLineBytes: Int) {
        guard let end = bytes.prefix(maximumLineBytes + 1).firstIndex(of: FeedJSON.lineFeed) else { return nil }
        let signatureEnd = end + 1 + FeedLimits.signatureCharacters
        guard bytes.count > signatureEnd, bytes[signatureEnd] == FeedJSON.lineFeed else { return nil }
        let text = Data(bytes[end + 1..<signatureEnd])
        // Base64 has several texts for some bytes. Only one is taken, so that nobody can alter a single byte.
        guard let signature = Data(base64Encoded: text), signature.count == FeedLimits.signatureByteCount,
            signature.base64EncodedData() == text
        else { return nil }
        line = Array(bytes[..<end])
        self.signature = Array(signature)
        rest = Array(bytes[(signatureEnd + 1)...])
    }

    /// Signs a line and the bytes after it.
    init(_ line: [UInt8], rest: [UInt8] = [], by key: IdentityKey, for context: SigningContext) {
        self.line = line
        self.rest = rest
        signature = key.signature(of: Self.message(line, rest), for: context)
    }

    /// All bytes.
    var bytes: [UInt8] {
        line + [FeedJSON.lineFeed] + Array(Data(signature).base64EncodedData()) + [FeedJSON.lineFeed] + rest
    }

    /// The keys that every version has; `nil` if the line lacks them.
    var preamble: Preamble? { FeedJSON.decode(Preamble.self, from: line) }

    /// Returns whether a hub has signed the line and the bytes after it.
    func isSigned(by key: PublicKey, for context: SigningContext) -> Bool {
        key.isValid(signature, of: Self.message(line, rest), for: context)
    }

    private static func message(_ line: [UInt8], _ rest: [UInt8]) -> [UInt8] { line + [FeedJSON.lineFeed] + rest }
}

extension SigningContext {
    /// Entries of feeds.
    static let feedEntry = SigningContext("hearth feed entry 1")
    /// Envelopes with keys.
    static let envelope = SigningContext("hearth envelope 1")
    /// Vaults.
    static let vault = SigningContext("hearth vault 1")
    /// Beats.
    static let beat = SigningContext("hearth beat 1")
}
