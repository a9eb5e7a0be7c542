import HomeIdentity

/// Limits and sizes of feeds.
package enum FeedLimits {
    /// The version of entries, envelopes and beats.
    package static let version = 1
    /// The maximum number of bytes of an entry's or a beat's first line, without the line feed.
    package static let headerBytes = 1_024
    /// The maximum number of bytes of an envelope's first line, without the line feed.
    package static let envelopeBytes = 4_096
    /// The maximum number of bytes of sealed lists of hubs.
    package static let hubListsBytes = 8_192
    /// The maximum number of bytes of a vault's first line, without the line feed.
    package static let vaultLineBytes = 65_536
    /// The smallest padded plaintext of an entry, in bytes. Larger ones are powers of two.
    package static let minimumPaddedBytes = 512
    /// The largest padded plaintext of an entry, in bytes.
    package static let maximumPaddedBytes = 262_144
    /// The maximum number of entries that have one content together. A feed at a relay is not larger.
    package static let maximumParts = 64
    /// The maximum number of bytes of a content.
    package static let maximumContentBytes = maximumParts * maximumPieceBytes
    /// The maximum number of bytes of an entry.
    package static let maximumEntryBytes =
        headerBytes + 1 + SignedLine.signatureCharacters + 1 + maximumPaddedBytes + tagByteCount
    /// The number of entries after which a base is due.
    package static let entriesPerBase = 128
    /// A base is due when the entries after the last one have this many times its bytes.
    package static let bytesPerBase = 4
    /// The time after which a generation of keys is replaced, in milliseconds.
    package static let generationTime = 365 * 24 * 60 * 60 * 1_000
    /// The time without a change after which the hub signs a beat, in milliseconds.
    package static let beatTime = 6 * 60 * 60 * 1_000
    /// The age of a copy from which on the hub counts as silent, in milliseconds.
    package static let silenceTime = 25 * 60 * 60 * 1_000
    /// The number of entries whose digests a reader remembers, to find a second history.
    package static let rememberedEntries = 64
    /// The number of keys that a reader keeps at most, besides that of the last entry.
    static let keptKeys = 4
    /// The largest number of an entry, a generation or a term: the largest that every reader of JSON has exactly.
    package static let maximumNumber = 9_007_199_254_740_991

    /// The number of bytes of an entry's salt.
    package static let saltByteCount = 16
    /// The number of bytes of the length before a piece of content.
    static let lengthByteCount = 4
    /// The maximum number of bytes of content in an entry.
    static let maximumPieceBytes = maximumPaddedBytes - lengthByteCount
    /// The number of bytes by which ciphertext is longer than plaintext.
    package static let tagByteCount = 16
}
