import Foundation

/// Files to play.
enum WaveFile {
    /// A WAV file of noise, in which each part can be found again, and its samples. Seconds of silence may follow them.
    ///
    /// - Parameter isQuiet: Whether the noise is so quiet that it can be compressed.
    static func noise(seconds: Int, to file: URL, silence: Int = 0, isQuiet: Bool = false) throws -> [UInt8] {
        var state: UInt64 = 7
        let samples = (0..<seconds * 176_400).map { index in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            // The second byte is the most significant one.
            return isQuiet && index % 2 == 1 ? 0 : UInt8(truncatingIfNeeded: state >> 56)
        }
        let rest = Data(count: silence * 176_400)
        try (header(length: samples.count + rest.count) + Data(samples) + rest).write(to: file)
        return samples
    }

    /// A WAV file of silence that lasts longer than any test. It takes no space.
    static func silence(to file: URL) throws {
        let length = 3_600 * 176_400
        let header = header(length: length)
        try header.write(to: file)
        let handle = try FileHandle(forWritingTo: file)
        try handle.truncate(atOffset: UInt64(header.count + length))
        try handle.close()
    }

    /// The header of a WAV file.
    private static func header(length: Int) -> Data {
        func little(_ number: Int, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
        }
        return Data(
            Array("RIFF".utf8) + little(36 + length, 4) + Array("WAVEfmt ".utf8) + little(16, 4) + little(1, 2)
                + little(2, 2) + little(44_100, 4) + little(176_400, 4) + little(4, 2) + little(16, 2)
                + Array("data".utf8) + little(length, 4)
        )
    }
}
