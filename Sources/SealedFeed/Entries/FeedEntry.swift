package import HomeIdentity

/// An entry of a feed, as the relay has it: a header that everybody can read, the hub's signature, and encrypted content.
package struct FeedEntry: Hashable, Sendable {
    /// All bytes.
    package let bytes: [UInt8]
    /// The header.
    package let header: EntryHeader
    /// The digest of all bytes.
    package let digest: EntryDigest
    private let signed: SignedLine

    /// Reads an entry. Returns `nil` if the bytes aren't an entry of this version. Its signature isn't checked.
    package init?(_ bytes: [UInt8]) {
        guard let signed = Self.split(bytes) else { return nil }
        self.init(bytes, signed)
    }

    /// Reads an entry whose signature has been looked at.
    init?(_ bytes: [UInt8], _ signed: SignedLine) {
        guard signed.preamble?.version == FeedLimits.version,
            let header = LineJSON.decode(EntryHeader.self, from: signed.line),
            EntryPadding.isPaddedSize(signed.rest.count - FeedLimits.tagByteCount)
        else { return nil }
        self.bytes = bytes
        self.header = header
        self.signed = signed
        digest = EntryDigest(of: bytes)
    }

    /// Splits the lines of an entry of any version. Returns `nil` if it has another form.
    static func split(_ bytes: [UInt8]) -> SignedLine? {
        guard bytes.count <= FeedLimits.maximumEntryBytes else { return nil }
        return SignedLine(bytes, maximumLineBytes: FeedLimits.headerBytes)
    }

    /// Encrypts and signs a piece of content.
    ///
    /// - Parameters:
    ///   - piece: The piece, at most ``FeedLimits/maximumPieceBytes``.
    ///   - header: The header, with a salt that was never used before.
    init(_ piece: [UInt8], header: EntryHeader, key: GenerationKey, by hubKey: IdentityKey) {
        let line = header.line
        let body = key.seal(EntryPadding.pad(piece), salt: header.salt, for: .feedEntry, authenticating: line)
        signed = SignedLine(line, rest: body, by: hubKey, for: .feedEntry)
        bytes = signed.bytes
        self.header = header
        digest = EntryDigest(of: bytes)
    }

    /// Returns whether a hub has signed the entry.
    package func isSigned(by hub: PublicKey) -> Bool { signed.isSigned(by: hub, for: .feedEntry) }

    /// Decrypts the piece of content. Returns `nil` with another generation's key.
    package func open(with key: GenerationKey) -> [UInt8]? {
        key.open(signed.rest, salt: header.salt, for: .feedEntry, authenticating: signed.line)
            .flatMap(EntryPadding.unpad)
    }
}
