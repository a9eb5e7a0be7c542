/// The constants of the age file format, version 1 (age-encryption.org/v1, published as c2sp.org/age).
enum AgeFormat {
    /// The first line of a file.
    static let version = "age-encryption.org/v1"
    /// What a recipient's stanza begins with.
    static let stanzaPrefix = "->"
    /// The kind of a stanza whose key comes from a passphrase.
    static let scryptKind = "scrypt"
    /// What the last line of the header begins with; the MAC covers the header up to here.
    static let macPrefix = "---"
    /// A stanza's body is written in lines of this many characters; the first shorter one ends it.
    static let bodyColumns = 64
    /// How long a header may be that is read. One with a passphrase is some 170 bytes long.
    static let maximumHeaderLength = 4_096

    /// The key of one file.
    static let fileKeyLength = 16
    /// The file key as a stanza carries it.
    static let wrappedKeyLength = fileKeyLength + tagLength
    /// The HMAC-SHA-256 of the header.
    static let macLength = 32
    /// The salt of scrypt.
    static let saltLength = 16
    /// What stands before the salt.
    static let scryptLabel = "age-encryption.org/v1/scrypt"
    /// The block size r of scrypt.
    static let scryptBlockSize = 8
    /// The parallelism p of scrypt.
    static let scryptParallelism = 1
    /// What HKDF derives the header's key for.
    static let headerLabel = "header"
    /// What HKDF derives the payload's key for.
    static let payloadLabel = "payload"

    /// The nonce before the payload, from which its key is derived.
    static let payloadNonceLength = 16
    /// A chunk's content, except for the last one's.
    static let chunkLength = 65_536
    /// The tag of ChaCha20-Poly1305.
    static let tagLength = 16
    /// The nonce of ChaCha20-Poly1305.
    static let nonceLength = 12
    /// Every derived key.
    static let keyLength = 32
}
