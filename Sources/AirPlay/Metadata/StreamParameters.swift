/// The parameters that a sender sets as text: the volume and the progress.
package struct StreamParameters: Hashable, Sendable {
    /// The media type of parameters.
    package static let contentType = "text/parameters"

    /// The volume.
    package var volume: Volume?
    /// The progress.
    package var progress: PlaybackProgress?

    /// Creates parameters.
    package init(volume: Volume? = nil, progress: PlaybackProgress? = nil) {
        self.volume = volume
        self.progress = progress
    }

    /// Reads lines such as `volume: -15.0`. Unknown lines are ignored.
    ///
    /// Returns `nil` if a known one is malformed.
    package init?(_ text: String) {
        for line in text.split(whereSeparator: \.isNewline) {
            let parts = line.split(separator: ":", maxSplits: 1).map { $0.drop { $0 == " " } }
            guard parts.count == 2 else { continue }
            switch parts[0] {
            case "volume":
                guard let volume = Volume(String(parts[1])) else { return nil }
                self.volume = volume
            case "progress":
                guard let progress = PlaybackProgress(String(parts[1])) else { return nil }
                self.progress = progress
            default: break
            }
        }
    }

    /// The text to send.
    package var text: String {
        let lines = [volume.map { "volume: \($0)" }, progress.map { "progress: \($0)" }]
        return lines.compactMap { $0 }.map { $0 + "\r\n" }.joined()
    }
}

/// A volume in decibels.
package struct Volume: Hashable, Sendable, LosslessStringConvertible {
    /// The level: -30 to 0, or -144 if muted.
    package let decibels: Double

    /// The full volume.
    package static let full = Volume(0)
    /// No sound.
    package static let muted = Volume(mutedLevel)
    private static let mutedLevel = -144.0
    private static let lowest = -30.0

    /// Creates a volume. Levels out of range become the nearest valid level, and those below -30 dB are muted.
    package init(_ decibels: Double) {
        self.decibels = decibels < Self.lowest ? Self.mutedLevel : min(decibels, 0)
    }

    /// Reads a number. Returns `nil` if it isn't one.
    package init?(_ description: String) {
        guard let decibels = Double(description.filter { $0 != " " }), decibels.isFinite else { return nil }
        self.init(decibels)
    }

    /// The number of decibels.
    package var description: String { "\(decibels)" }
}

/// The progress of what plays, in frames of the stream, whose numbers wrap around.
package struct PlaybackProgress: Hashable, Sendable, LosslessStringConvertible {
    /// The first frame.
    package var start: UInt32
    /// The frame that plays.
    package var current: UInt32
    /// The frame after the last one.
    package var end: UInt32

    /// Creates progress.
    package init(start: UInt32, current: UInt32, end: UInt32) {
        (self.start, self.current, self.end) = (start, current, end)
    }

    /// Reads three numbers with slashes in between. Fractions of a frame, which some senders add, are dropped.
    ///
    /// Returns `nil` if it is malformed.
    package init?(_ description: String) {
        let numbers = description.filter { $0 != " " }.split(separator: "/").map { word -> UInt32? in
            if let number = UInt32(word) { return number }
            // An end beyond the highest number wraps around.
            guard let number = Double(word), (0..<9e15).contains(number) else { return nil }
            return UInt32(truncatingIfNeeded: Int64(number))
        }
        guard numbers.count == 3, let start = numbers[0], let current = numbers[1], let end = numbers[2] else {
            return nil
        }
        self.init(start: start, current: current, end: end)
    }

    /// The position of what plays, in seconds.
    package var position: Double {
        Double(current &- start) / Double(AudioFormat.sampleRate)
    }

    /// The length in seconds.
    package var duration: Double {
        Double(end &- start) / Double(AudioFormat.sampleRate)
    }

    /// The three numbers.
    package var description: String { "\(start)/\(current)/\(end)" }
}
