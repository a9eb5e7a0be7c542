import AgeFile
import Foundation

/// Writes a file's content into another one that a passphrase opens.
enum SealedCopy {
    private static let pieceLength = 1 << 20

    /// Seals a file. This takes a while, and memory: see ``AgeFile/AgeWork``.
    ///
    /// - Parameters:
    ///   - source: The file.
    ///   - target: Where the sealed one is made; only the owner may read it.
    static func write(_ source: URL, to target: URL, passphrase: String, work: AgeWork) throws {
        let reader = try FileHandle(forReadingFrom: source)
        defer { try? reader.close() }
        let descriptor = open(target.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR)
        guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        let writer = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        defer { try? writer.close() }
        var random = SystemRandomNumberGenerator()
        var encryptor = try AgeEncryptor(passphrase: passphrase, work: work, random: &random)
        while let piece = try reader.read(upToCount: pieceLength), !piece.isEmpty {
            try writer.write(contentsOf: encryptor.update(piece))
        }
        try writer.write(contentsOf: encryptor.finish())
    }
}
