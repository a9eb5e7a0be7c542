import AirPlay
import Foundation

/// The samples of a file: 44,100 frames a second, 16 bits. The file stays on disk and is mapped into memory.
struct AudioFile: Sendable {
    /// The maximum length of a file that `ffmpeg` converts, in seconds: 6 h, or 3.8 GB on disk.
    private static let convertedLimit = 21_600

    /// The number of frames.
    let frameCount: Int
    private let channelCount: Int
    private let data: Data

    /// Reads a file, or has `ffmpeg` convert it.
    ///
    /// - Throws: `URLError` if it can't be opened, otherwise ``AVError``.
    static func load(_ url: URL) async throws -> AudioFile {
        if url.isFileURL {
            guard FileManager.default.isReadableFile(atPath: url.path) else {
                let isThere = FileManager.default.fileExists(atPath: url.path)
                throw URLError(isThere ? .noPermissionsToReadFile : .fileDoesNotExist, userInfo: [NSURLErrorKey: url])
            }
            if let file = try? AudioFile(wave: url) { return file }
        }
        let converted = FileManager.default.temporaryDirectory.appending(path: "hearth-\(UUID()).wav")
        // The mapping remains valid after that.
        defer { try? FileManager.default.removeItem(at: converted) }
        try await convert(url, to: converted)
        guard let file = try? AudioFile(wave: converted) else {
            throw AVError(.fileFormatNotRecognized, "\(url.lastPathComponent) has no audio that ffmpeg can decode.")
        }
        return file
    }

    /// Maps a WAV file with 44,100 frames a second, 16 bits, and one or two channels.
    private init(wave url: URL) throws {
        let file = try Data(contentsOf: url, options: .alwaysMapped)
        let format = try WaveFormat(Array(file.prefix(WaveFormat.headerLimit)))
        guard format.bitDepth == 16, (1...2).contains(format.channelCount),
            format.sampleRate == AudioFormat.sampleRate
        else { throw AVError(.fileFormatNotRecognized, "The WAV file has another format.") }
        let end = format.length.map { min(format.start + $0, file.count) } ?? file.count
        channelCount = format.channelCount
        frameCount = max(0, end - format.start) / (format.channelCount * 2)
        data = file.dropFirst(format.start).prefix(frameCount * format.channelCount * 2)
        guard frameCount > 0 else { throw AVError(.fileFormatNotRecognized, "The file has no samples.") }
    }

    private static func convert(_ url: URL, to file: URL) async throws {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
        let programs = folders.map { "\($0)/ffmpeg" }
        guard let program = programs.first(where: { FileManager.default.isExecutableFile(atPath: $0) }) else {
            throw AVError(
                .decoderNotFound,
                "\(url.lastPathComponent) isn't a WAV file with 44,100 Hz and 16 bits. Install ffmpeg, which decodes others."
            )
        }
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = [
            "-nostdin", "-v", "error", "-i", url.isFileURL ? url.path : url.absoluteString, "-vn", "-ar",
            "\(AudioFormat.sampleRate)", "-ac", "\(AudioFormat.channelCount)", "-c:a", "pcm_s16le", "-t",
            "\(convertedLimit)", file.path,
        ]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        let status = try await withCheckedThrowingContinuation { continuation in
            process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
            do { try process.run() } catch { continuation.resume(throwing: error) }
        }
        guard status == 0 else {
            throw AVError(.fileFormatNotRecognized, "ffmpeg can't decode \(url.lastPathComponent).")
        }
    }

    /// Appends frames from a position, left and right alternating. Positions beyond the end are silent.
    ///
    /// - Parameters:
    ///   - position: The first frame. A fraction is between two frames.
    ///   - rate: The number of frames from one appended frame to the next.
    ///   - count: The number of frames to append.
    func read(from position: Double, rate: Double, count: Int, into samples: inout [Int16]) {
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
}
