import AirPlay
import Foundation
package import MediaRouting

/// Reads an asset's samples: those of WAV files as they are, others by the program `ffmpeg`.
package enum MediaDecoder {
    /// The maximum length of what `ffmpeg` converts, in seconds: 6 h, or 3.8 GB on disk. The rest is cut.
    package static let lengthLimit = 21_600

    /// Reads a file, or has `ffmpeg` convert it.
    ///
    /// - Parameters:
    ///   - url: The URL.
    ///   - lengthLimit: The maximum length of what is converted, in seconds.
    /// - Throws: `URLError` if it can't be opened, otherwise ``AVError``.
    package static func load(_ url: URL, lengthLimit: Int = lengthLimit) async throws -> WaveFile {
        if url.isFileURL {
            guard FileManager.default.isReadableFile(atPath: url.path) else {
                let isThere = FileManager.default.fileExists(atPath: url.path)
                throw URLError(isThere ? .noPermissionsToReadFile : .fileDoesNotExist, userInfo: [NSURLErrorKey: url])
            }
            if let file = try? WaveFile(url) { return file }
        }
        let converted = FileManager.default.temporaryDirectory.appending(path: "hearth-\(UUID()).wav")
        // The mapping remains valid after that.
        defer { try? FileManager.default.removeItem(at: converted) }
        try await convert(url, to: converted, lengthLimit)
        guard let file = try? WaveFile(converted) else {
            throw AVError(.fileFormatNotRecognized, "\(url.lastPathComponent) has no audio that ffmpeg can decode.")
        }
        return file
    }

    private static func convert(_ url: URL, to file: URL, _ lengthLimit: Int) async throws {
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
            "\(lengthLimit)", file.path,
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
}
