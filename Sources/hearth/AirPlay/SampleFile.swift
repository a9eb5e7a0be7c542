import AirPlay
import Foundation
import Synchronization

/// The samples of a WAV file. This is a class because reading advances it.
final class SampleFile: Sendable {
    /// The file's name without its extension.
    let name: String
    /// The number of frames.
    let frameCount: Int
    private let data: Data
    private let channelCount: Int
    private let position: Mutex<Int>

    /// Opens a file.
    ///
    /// - Throws: ``CommandFailure`` if it can't be read, or has another format.
    init(path: String) throws(CommandFailure) {
        name = URL(filePath: path).deletingPathExtension().lastPathComponent
        let file: Data
        let format: WaveFormat
        do {
            file = try Data(contentsOf: URL(filePath: path), options: .mappedIfSafe)
        } catch {
            throw CommandFailure("fileUnreadable", "\(path) can't be read.")
        }
        do throws(WaveFormat.Failure) {
            format = try WaveFormat(Array(file.prefix(WaveFormat.headerLimit)))
        } catch {
            throw Self.unsupported(path)
        }
        guard format.bitDepth == 16, (1...2).contains(format.channelCount),
            format.sampleRate == AudioFormat.sampleRate
        else { throw Self.unsupported(path) }
        let end = format.length.map { min(format.start + $0, file.count) } ?? file.count
        frameCount = (end - format.start) / (format.channelCount * 2)
        channelCount = format.channelCount
        position = Mutex(0)
        data = file.dropFirst(format.start).prefix(frameCount * format.channelCount * 2)
        guard frameCount > 0 else { throw CommandFailure("emptyFile", "\(path) has no samples.") }
    }

    private static func unsupported(_ path: String) -> CommandFailure {
        CommandFailure(
            "unsupportedFile",
            "\(path) isn't a WAV file with 44,100 Hz, 16 bits and one or two channels. Convert it: "
                + "ffmpeg -i \(path) -ar 44100 -ac 2 -c:a pcm_s16le song.wav"
        )
    }

    /// Returns the frames of the next packet, left and right alternating. Empty at the end.
    func next() -> [Int16] {
        let range = position.withLock { position in
            let range = position..<min(position + AudioFormat.framesPerPacket, frameCount)
            position = range.upperBound
            return range
        }
        var samples: [Int16] = []
        samples.reserveCapacity(range.count * 2)
        for frame in range {
            for channel in 0..<2 {
                let index = data.startIndex + (frame * channelCount + min(channel, channelCount - 1)) * 2
                samples.append(Int16(bitPattern: UInt16(data[index]) | UInt16(data[index + 1]) << 8))
            }
        }
        return samples
    }
}
