import AgeFile
import Foundation
import HomeStore

/// Encrypts a file with a passphrase.
enum EncryptedCopy {
    private static let chunkLength = 1 << 20

    /// Encrypts a file. This takes time and memory: see ``AgeFile/ScryptWorkFactor``.
    ///
    /// - Parameters:
    ///   - source: The file.
    ///   - target: The encrypted file to create, which only its owner can read.
    static func write(_ source: URL, to target: URL, passphrase: String, work: ScryptWorkFactor) throws {
        let reader = try FileHandle(forReadingFrom: source)
        defer { try? reader.close() }
        let descriptor = open(target.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR)
        guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        defer { close(descriptor) }
        var random = SystemRandomNumberGenerator()
        var encryptor = try AgeEncryptor(passphrase: passphrase, work: work, random: &random)
        while let chunk = try reader.read(upToCount: chunkLength), !chunk.isEmpty {
            try write(encryptor.update(chunk), to: descriptor)
        }
        try write(encryptor.finish(), to: descriptor)
    }

    private static func write(_ bytes: some DataProtocol, to descriptor: Int32) throws(StoreError) {
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                let reason = String(cString: strerror(errno))
                throw errno == ENOSPC
                    ? StoreError(
                        .full,
                        "The data folder has no space left for the backup. Free some space and try again."
                    )
                    : StoreError(.inputOutput, "The backup cannot be written: \(reason).")
            }
            rest = rest.dropFirst(count)
        }
    }
}
