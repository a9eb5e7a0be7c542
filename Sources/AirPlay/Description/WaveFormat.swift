/// The beginning of a WAV file: where its samples are, and of which form.
package struct WaveFormat: Hashable, Sendable {
    /// The number of bytes in which the samples must begin.
    package static let headerLimit = 1_048_576

    /// The number of frames in a second.
    package var sampleRate: Int
    /// The number of channels.
    package var channelCount: Int
    /// The number of bits in a sample.
    package var bitDepth: Int
    /// The position of the first sample, in bytes.
    package var start: Int
    /// The number of bytes of samples, or `nil` if the file doesn't say: then they extend to its end.
    package var length: Int?

    /// An error in a file.
    package enum Failure: Error, Hashable, Sendable {
        /// It isn't a WAV file, or its samples don't begin within the limit.
        case notWave
        /// The samples aren't whole numbers without compression.
        case unsupportedEncoding
    }

    private static let pcm = 1
    private static let extensible = 0xFFFE

    /// Reads the beginning of a file.
    ///
    /// - Parameter bytes: The file's first bytes, ``headerLimit`` at most.
    package init(_ bytes: [UInt8]) throws(Failure) {
        func number(_ start: Int, _ count: Int) -> Int {
            bytes[start..<start + count].reversed().reduce(0) { $0 << 8 | Int($1) }
        }
        func name(_ start: Int) -> String { String(decoding: bytes[start..<start + 4], as: UTF8.self) }
        guard bytes.count >= 12, name(0) == "RIFF", name(8) == "WAVE" else { throw .notWave }
        var format: (rate: Int, channels: Int, bits: Int)?
        var position = 12
        while position + 8 <= min(bytes.count, Self.headerLimit) {
            let (chunk, length, content) = (name(position), number(position + 4, 4), position + 8)
            if chunk == "data" {
                guard let format else { throw .notWave }
                (sampleRate, channelCount, bitDepth) = (format.rate, format.channels, format.bits)
                start = content
                // Programs that write to a pipe don't know the length.
                self.length = length == 0xFFFF_FFFF || length == 0 ? nil : length
                return
            }
            if chunk == "fmt " {
                guard length >= 16, content + length <= bytes.count else { throw .notWave }
                var encoding = number(content, 2)
                if encoding == Self.extensible, length >= 26 { encoding = number(content + 24, 2) }
                guard encoding == Self.pcm else { throw .unsupportedEncoding }
                format = (number(content + 4, 4), number(content + 2, 2), number(content + 14, 2))
            }
            position = content + length + length % 2
        }
        throw .notWave
    }
}
