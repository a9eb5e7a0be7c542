/// An error in reading an age file.
package enum AgeError: Error, Hashable, Sendable {
    /// The file is not an age file, or its header is malformed.
    case notAge
    /// The file is encrypted for recipients' keys, not with a passphrase.
    case noPassphrase
    /// The file's work factor is greater than ``ScryptWorkFactor/limit``.
    case tooMuchWork(Int)
    /// The passphrase is wrong, or the header was modified.
    case wrongPassphrase
    /// The content was modified.
    case damaged
    /// The file is incomplete.
    case truncated
}
