internal import AirPlay
package import Foundation
internal import Synchronization

/// The samples of a WAV file with 44,100 frames a second, 16 bits, and one or two channels. The file stays on disk and is mapped
/// into memory.
package struct WaveFile: Sendable {
    /// An error of a file.
    package enum Failure: Error, Hashable, Sendable {
        /// It can't be read.
        case unreadable
        /// It isn't a WAV file, or it has another format.
        case unsupported
        /// It has no samples.
        case empty
    }

    /// The number of frames.
    package let frameCount: Int
    private let channelCount: Int
    private let data: Data

    /// Opens a file.
    package init(_ url: URL) throws(Failure) {
        guard let file = try? Data(contentsOf: url, options: .alwaysMapped) else { throw .unreadable }
        guard let format = try? WaveFormat(Array(file.prefix(WaveFormat.headerLimit))), format.bitDepth == 16,
            (1...2).contains(format.channelCount), format.sampleRate == AudioFormat.sampleRate
        else { throw .unsupported }
        let end = format.length.map { min(format.start + $0, file.count) } ?? file.count
        channelCount = format.channelCount
        frameCount = max(0, end - format.start) / (format.channelCount * 2)
        data = file.dropFirst(format.start).prefix(frameCount * format.channelCount * 2)
        guard frameCount > 0 else { throw .empty }
    }

    /// Appends frames from a position, left and right alternating. Positions beyond the end are silent.
    ///
    /// - Parameters:
    ///   - position: The first frame. A fraction is between two frames.
    ///   - rate: The number of frames from one appended frame to the next.
    ///   - count: The number of frames to append.
    package func read(from position: Double, rate: Double, count: Int, into samples: inout [Int16]) {
        data.withUnsafeBytes { bytes in
            func sample(_ frame: Int, _ channel: Int) -> Int16 {
                guard (0..<frameCount).contains(frame) else { return 0 }
                let index = (frame * channelCount + min(channel, channelCount - 1)) * 2
                return Int16(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: Int16.self))
            }
            for index in 0..<count {
                let exact = position + Double(index) * rate
                let frame = Int(exact.rounded(.down))
                let fraction = exact - Double(frame)
                for channel in 0..<AudioFormat.channelCount {
                    let first = sample(frame, channel)
                    guard fraction > 0 else {
                        samples.append(first)
                        continue
                    }
                    let difference = Double(sample(frame + 1, channel)) - Double(first)
                    samples.append(Int16(Double(first) + difference * fraction))
                }
            }
        }
    }

    /// Returns a source of the file's packets, from its beginning to its end.
    package func packets() -> @Sendable () -> [Int16] {
        let position = PacketPosition()
        return {
            let start = position.advance()
            let count = min(AudioFormat.framesPerPacket, frameCount - start)
            guard count > 0 else { return [] }
            var samples: [Int16] = []
            samples.reserveCapacity(count * AudioFormat.channelCount)
            read(from: Double(start), rate: 1, count: count, into: &samples)
            return samples
        }
    }

    /// The first frame of the next packet. This is a class because a source's calls share it.
    private final class PacketPosition: Sendable {
        private let frame = Mutex(0)

        func advance() -> Int {
            frame.withLock { frame in
                defer { frame += AudioFormat.framesPerPacket }
                return frame
            }
        }
    }
}
