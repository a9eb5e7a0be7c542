internal import Foundation
package import HAP

/// A file with the identity of a sender or a receiver, and its pairings. Without a path, they last as long as the program.
///
/// Only the file's owner can read it, because it contains a secret key.
package struct AirPlayPairingFile: Sendable {
    /// The maximum length of the file in bytes.
    package static let lengthLimit = 262_144
    /// The maximum number of receivers that a sender keeps. A new one replaces the oldest one.
    package static let receiverLimit = 256

    /// An error of a file. Each case has the file's path.
    package enum Failure: Error, Hashable, Sendable {
        /// It can't be read.
        case unreadable(String)
        /// It contains something else, or is too long.
        case invalid(String)
        /// It can't be written.
        case unwritable(String)
    }

    private struct Content: Codable {
        var id: PairingID
        var seed: String
        var pairings: [PairedPeer]
    }

    /// The pairing identifier.
    package let id: PairingID
    /// The long-term key pair.
    package let keyPair: LongTermKeyPair
    /// The pairings when the file was read, the oldest one first.
    package let pairings: [PairedPeer]
    private let path: String?

    /// Whether the pairings outlast the program.
    package var isKept: Bool { path != nil }

    /// Reads a file, or makes one if there is none.
    ///
    /// - Parameters:
    ///   - path: The path, or `nil` for an identity that isn't kept.
    ///   - id: The identifier of a new identity.
    /// - Throws: ``Failure`` if the file can't be read or written, or contains something else.
    package init(path: String?, newID id: PairingID) throws(Failure) {
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
            throw .unreadable(path)
        }
        guard data.count <= Self.lengthLimit, let content = try? JSONDecoder().decode(Content.self, from: data),
            let keyPair = Hexadecimal.bytes(content.seed).flatMap({ LongTermKeyPair(seed: $0) })
        else { throw .invalid(path) }
        self.id = content.id
        self.keyPair = keyPair
        pairings = content.pairings
    }

    /// Reads the file of a sender, or makes one if there is none.
    ///
    /// - Throws: ``Failure`` as the other initializer does.
    package init(sendersAt path: String?) throws(Failure) {
        guard let id = PairingID(UUID().uuidString) else { preconditionFailure("A UUID is a pairing identifier.") }
        try self.init(path: path, newID: id)
    }

    /// The pairings that the file has now, or those that it had when it was read if it can't be read again.
    package var currentPairings: [PairedPeer] {
        guard let path, let current = try? AirPlayPairingFile(path: path, newID: id), current.id == id else {
            return pairings
        }
        return current.pairings
    }

    /// Replaces the pairings in the file.
    package func store(_ pairings: [PairedPeer]) throws(Failure) {
        guard let path else { return }
        let content = Content(id: id, seed: keyPair.seed.hexadecimal, pairings: pairings)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        guard let data = try? encoder.encode(content), PrivateFile.replace(path, with: data) else {
            throw .unwritable(path)
        }
    }
}
