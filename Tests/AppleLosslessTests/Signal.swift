import Foundation

/// Signals that exercise different parts of the codec.
enum Signal: String, CaseIterable, CustomStringConvertible {
    /// Decaying chords, each channel with its own balance: what a predictor is made for.
    case music
    /// Independent samples, which can't be compressed.
    case noise
    /// Faint noise between silences, which has runs of zeros.
    case sparse
    /// Jumps between the smallest and the largest sample.
    case extremes
    case silence

    var description: String { rawValue }

    /// Returns interleaved samples.
    func samples(frameCount: Int, channelCount: Int, bitDepth: Int = 16) -> [Int32] {
        var random = SplitMix()
        let full = Int32(1) << Int32(bitDepth - 1)
        return (0..<frameCount * channelCount).map { index in
            let (frame, channel) = index.quotientAndRemainder(dividingBy: channelCount)
            switch self {
            case .music:
                let time = Double(frame) / 44_100
                let note = [262.0, 330, 392, 523][frame / 2_500 % 4] * (1 + Double(channel) * 0.001)
                let swing = sin(time * note * 6.283) + 0.4 * sin(time * note * 18.85) + 0.1 * sin(time * note * 50)
                let decay = exp(-Double(frame % 2_500) / 1_200)
                return Int32(Double(full) * 0.6 * swing * decay / 1.5) + Int32(random.next() % 8) - 4
            case .noise: return Int32(truncatingIfNeeded: random.next()) >> Int32(32 - bitDepth)
            case .sparse: return frame / 100 % 3 == 0 ? Int32(random.next() % 5) - 2 : 0
            case .extremes: return random.next() % 3 == 0 ? -full : full - 1
            case .silence: return 0
            }
        }
    }
}

/// A small random generator with a fixed seed.
struct SplitMix {
    private var state: UInt64 = 42

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
