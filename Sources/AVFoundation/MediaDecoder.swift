import Foundation
package import MediaRouting

/// Reads an asset's samples: those of WAV files as they are, others by the program `ffmpeg`.
package enum MediaDecoder {
    /// Reads a file, or has `ffmpeg` convert it.
    ///
    /// - Parameters:
    ///   - url: The URL.
    ///   - lengthLimit: The maximum length of what is converted, in seconds.
    /// - Throws: `URLError` if it can't be opened, otherwise ``AVError``.
    package static func load(_ url: URL, lengthLimit: Int = AudioConversion.lengthLimit) async throws -> WaveFile {
        if url.isFileURL {
            guard FileManager.default.isReadableFile(atPath: url.path) else {
                let isThere = FileManager.default.fileExists(atPath: url.path)
                throw URLError(isThere ? .noPermissionsToReadFile : .fileDoesNotExist, userInfo: [NSURLErrorKey: url])
            }
            if let file = try? WaveFile(url) { return file }
        }
        do throws(AudioConversion.Failure) {
            return try await AudioConversion.samples(of: url, lengthLimit: lengthLimit)
        } catch {
            switch error {
            case .programMissing:
                throw AVError(
                    .decoderNotFound,
                    "\(url.lastPathComponent) isn't a WAV file with 44,100 Hz and 16 bits. Install ffmpeg, which decodes others."
                )
            case .undecodable:
                throw AVError(
                    .fileFormatNotRecognized,
                    "\(url.lastPathComponent) has no audio that ffmpeg can decode."
                )
            }
        }
    }
}
