/// An error of a sound card.
package enum SoundCardError: Error, Hashable, Sendable {
    /// ALSA's library isn't installed, or lacks a function.
    case libraryMissing(String)
    /// The card can't be opened or used, for a reason in ALSA's words.
    case failed(device: String, reason: String)
}
