import AirPlay
import Foundation
import HAP

/// A file with the identity of a sender or a receiver, and its pairings. Without a path, they last as long as the program.
///
/// Only the file's owner can read it, because it contains a secret key.
struct AirPlayPairingFile: Sendable {
    /// The maximum length of the file in bytes.
    private static let lengthLimit = 262_144
    /// Whether the pairings outlast the program.
    var isKept: Bool { path != nil }

    /// The maximum number of receivers that a sender keeps. A new one replaces the oldest one.
    static let receiverLimit = 256

    private struct Content: Codable {
        var id: PairingID
        var seed: String
        var pairings: [PairedPeer]
    }

    /// The pairing identifier.
    let id: PairingID
    /// The long-term key pair.
    let keyPair: LongTermKeyPair
    /// The pairings when the file was read, the oldest one first.
    let pairings: [PairedPeer]
    private let path: String?

    /// Reads a file, or makes one if there is none.
    ///
    /// - Parameters:
    ///   - path: The path, or `nil` for an identity that isn't kept.
    ///   - id: The identifier of a new identity.
    /// - Throws: ``CommandFailure`` if the file can't be read or written, or contains something else.
    init(path: String?, newID id: PairingID) throws(CommandFailure) {
        self.path = path
        guard let path, FileManager.default.fileExists(atPath: path) else {
            self.id = id
            keyPair = .random()
            pairings = []
            try store([])
            return
        }
        let data: Data
        do {
            let handle = try FileHandle(forReadingFrom: URL(filePath: path))
            data = try handle.read(upToCount: Self.lengthLimit + 1) ?? Data()
        } catch {
            throw CommandFailure("fileUnreadable", "\(path) can't be read.")
        }
        guard data.count <= Self.lengthLimit, let content = try? JSONDecoder().decode(Content.self, from: data),
            let keyPair = Hexadecimal.bytes(content.seed).flatMap({ LongTermKeyPair(seed: $0) })
        else {
            throw CommandFailure(
                "invalidPairings",
                "\(path) isn't a file of AirPlay pairings. Choose another name, or remove it and pair again."
            )
        }
        self.id = content.id
        self.keyPair = keyPair
        pairings = content.pairings
    }

    /// Reads the file of a sender, or makes one if there is none.
    ///
    /// - Throws: ``CommandFailure`` as the other initializer does.
    init(sendersAt path: String?) throws(CommandFailure) {
        guard let id = PairingID(UUID().uuidString) else { throw CommandFailure("failed", "No identity.") }
        try self.init(path: path, newID: id)
    }

    /// Replaces the pairings in the file.
    func store(_ pairings: [PairedPeer]) throws(CommandFailure) {
        guard let path else { return }
        let content = Content(id: id, seed: keyPair.seed.hexadecimal, pairings: pairings)
        let temporary = "\(path).\(UUID().uuidString).new"
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        guard let data = try? encoder.encode(content),
            FileManager.default.createFile(
                atPath: temporary,
                contents: data,
                attributes: [.posixPermissions: 0o600]
            ),
            rename(temporary, path) == 0
        else {
            unlink(temporary)
            throw CommandFailure("fileUnwritable", "\(path) can't be written.")
        }
    }
}
