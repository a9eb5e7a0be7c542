internal import AirPlay
package import Foundation

/// Converts audio of any kind into samples, with the program `ffmpeg`.
package enum AudioConversion {
    /// The maximum length of what is converted, in seconds: 6 h, or 3.8 GB on disk. The rest is cut.
    package static let lengthLimit = 21_600

    /// An error of a conversion.
    package enum Failure: Error, Hashable, Sendable {
        /// `ffmpeg` isn't installed, or can't be started.
        case programMissing
        /// `ffmpeg` finds no audio that it can decode.
        case undecodable
    }

    /// Returns the samples of a file or an address.
    ///
    /// - Parameters:
    ///   - url: The URL.
    ///   - lengthLimit: The maximum length of what is converted, in seconds.
    package static func samples(of url: URL, lengthLimit: Int = lengthLimit) async throws(Failure) -> WaveFile {
        let converted = FileManager.default.temporaryDirectory.appending(path: "hearth-\(UUID()).wav")
        // The mapping remains valid after that.
        defer { try? FileManager.default.removeItem(at: converted) }
        try await convert(url, to: converted, lengthLimit)
        guard let file = try? WaveFile(converted) else { throw .undecodable }
        return file
    }

    private static func convert(_ url: URL, to file: URL, _ lengthLimit: Int) async throws(Failure) {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
        let programs = folders.map { "\($0)/ffmpeg" }
        guard let program = programs.first(where: { FileManager.default.isExecutableFile(atPath: $0) }) else {
            throw .programMissing
        }
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = [
            "-nostdin", "-v", "error", "-i", url.isFileURL ? "file:\(url.path)" : url.absoluteString, "-vn", "-ar",
            "\(AudioFormat.sampleRate)", "-ac", "\(AudioFormat.channelCount)", "-c:a", "pcm_s16le", "-t",
            "\(lengthLimit)", file.path,
        ]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        let status: Int32? = await withCheckedContinuation { continuation in
            process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
            do { try process.run() } catch { continuation.resume(returning: nil) }
        }
        guard let status else { throw .programMissing }
        guard status == 0 else { throw .undecodable }
    }
}
