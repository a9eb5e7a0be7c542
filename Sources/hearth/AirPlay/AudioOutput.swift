import ArgumentParser
import SoundCard

/// A sound card, as an option names it: `alsa`, or `alsa:DEVICE`.
struct AudioOutput: ExpressibleByArgument, Sendable {
    private static let system = "alsa"

    /// ALSA's name of the card.
    let device: String

    init?(argument: String) {
        let parts = argument.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts[0] == Self.system else { return nil }
        device = parts.count > 1 ? String(parts[1]) : SoundCard.usualDevice
        guard !device.isEmpty, !device.utf8.contains(0) else { return nil }
    }
}
