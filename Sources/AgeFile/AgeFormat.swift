/// The constants of the age file format, version 1 (age-encryption.org/v1, published as c2sp.org/age).
enum AgeFormat {
    /// The first line of a file.
    static let version = "age-encryption.org/v1"
    /// The prefix of a recipient's stanza.
    static let stanzaPrefix = "->"
    /// The type of a stanza whose key is derived from a passphrase.
    static let scryptKind = "scrypt"
    /// The prefix of the header's last line. The MAC covers the header up to and including it.
    static let macPrefix = "---"
    /// The maximum length of a header. A header with a passphrase has about 170 bytes.
    static let maximumHeaderLength = 4_096

    /// The length of a file's key.
    static let fileKeyLength = 16
    /// The length of the encrypted file key in a stanza.
    static let wrappedKeyLength = fileKeyLength + tagLength
    /// The length of the header's HMAC-SHA-256.
    static let macLength = 32
    /// The length of the scrypt salt.
    static let saltLength = 16
    /// The label that precedes the salt.
    static let scryptLabel = "age-encryption.org/v1/scrypt"
    /// The block size r of scrypt.
    static let scryptBlockSize = 8
    /// The parallelism p of scrypt.
    static let scryptParallelism = 1
    /// The HKDF label of the header's key.
    static let headerLabel = "header"
    /// The HKDF label of the payload's key.
    static let payloadLabel = "payload"

    /// The length of the nonce before the payload, from which the payload's key is derived.
    static let payloadNonceLength = 16
    /// The length of a chunk's content, except in the last chunk.
    static let chunkLength = 65_536
    /// The length of a ChaCha20-Poly1305 tag.
    static let tagLength = 16
    /// The length of a ChaCha20-Poly1305 nonce.
    static let nonceLength = 12
    /// The length of derived keys.
    static let keyLength = 32
}
