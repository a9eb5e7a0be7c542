/// Why an age file could not be read.
package enum AgeError: Error, Hashable, Sendable {
    /// It does not begin as such a file does, or its header is malformed.
    case notAge
    /// It was made for recipients' keys, not for a passphrase.
    case noPassphrase
    /// Its passphrase would cost more than ``ScryptWorkFactor/limit`` to check.
    case tooMuchWork(Int)
    /// The passphrase does not fit, or the header was changed.
    case wrongPassphrase
    /// The content was changed.
    case damaged
    /// The file ends too early.
    case truncated
}
