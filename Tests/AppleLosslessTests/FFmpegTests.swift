import AppleLossless
import CoreAudioFile
import Foundation
import PeerProcess
import Testing

/// FFmpeg's codec decodes what ours encodes, and the other way around, without a difference in any sample.
@Suite struct FFmpegTests {
    private static let frameCount = 9_001

    @Test(arguments: [1, 2], [true, false])
    func ffmpegDecodesOurPackets(channelCount: Int, isCompressing: Bool) async throws {
        try await withFolder { folder in
            let configuration = try AppleLosslessConfiguration(channelCount: channelCount)
            var encoder = try AppleLosslessEncoder(configuration: configuration, isCompressing: isCompressing)
            let samples = Self.signals(channelCount, 16).map { Int16($0) }
            let packetLength = configuration.framesPerPacket * channelCount
            var packets: [[UInt8]] = []
            for start in stride(from: 0, to: samples.count, by: packetLength) {
                packets.append(try encoder.encode(Array(samples[start...].prefix(packetLength))))
            }
            let file = CoreAudioFile(
                configuration: configuration,
                packets: packets,
                frameCount: samples.count / channelCount
            )
            try Data(file.bytes).write(to: folder.appending(path: "ours.caf"))
            try await Self.ffmpeg("-i ours.caf -f s16le -c:a pcm_s16le theirs.pcm", in: folder)
            let decoded = try Self.read("theirs.pcm", in: folder)
            #expect(decoded.count >= samples.count)
            #expect(Self.firstDifference(decoded, samples.map { Int32($0) }) == nil)
        }
    }

    @Test(arguments: [1, 2], [16, 24])
    func ourDecoderReadsPacketsOfFFmpeg(channelCount: Int, bitDepth: Int) async throws {
        try await withFolder { folder in
            let samples = Self.signals(channelCount, bitDepth)
            let bytes = samples.flatMap { sample in
                (0..<bitDepth / 8).map { UInt8(truncatingIfNeeded: sample >> Int32($0 * 8)) }
            }
            try Data(bytes).write(to: folder.appending(path: "ours.pcm"))
            let format = "s\(bitDepth)le"
            try await Self.ffmpeg(
                "-f \(format) -ar 44100 -ac \(channelCount) -i ours.pcm -c:a alac theirs.caf",
                in: folder
            )
            let file = try CoreAudioFile(Array(Data(contentsOf: folder.appending(path: "theirs.caf"))))
            #expect(file.configuration.bitDepth == bitDepth)
            var decoder = AppleLosslessDecoder(configuration: file.configuration)
            let decoded = try file.packets.flatMap { try decoder.decode($0) }
            #expect(decoded.count == samples.count)
            #expect(Self.firstDifference(decoded, samples) == nil)
        }
    }

    /// The position of the first sample that differs, which is a shorter report than all samples.
    private static func firstDifference(_ left: [Int32], _ right: [Int32]) -> Int? {
        zip(left, right).enumerated().first { $0.element.0 != $0.element.1 }?.offset
    }

    /// All signals, one after the other, so that one process judges them.
    private static func signals(_ channelCount: Int, _ bitDepth: Int) -> [Int32] {
        Signal.allCases.flatMap {
            $0.samples(frameCount: frameCount, channelCount: channelCount, bitDepth: bitDepth)
        }
    }

    private static func ffmpeg(_ arguments: String, in folder: URL) async throws {
        let output = try await ShellScript.run("cd '\(folder.path)' && ffmpeg -nostdin -v error \(arguments)")
        #expect(output == "")
    }

    private static func read(_ name: String, in folder: URL) throws -> [Int32] {
        let bytes = Array(try Data(contentsOf: folder.appending(path: name)))
        return stride(from: 0, to: bytes.count, by: 2).map {
            Int32(Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8))
        }
    }

    private func withFolder(_ body: (URL) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "alac-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(folder)
    }
}
