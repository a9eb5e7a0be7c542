package import Consensus
import Foundation

/// The whole state that two hubs have, in a file, as a relay gets it: in pieces that are sealed with the newest key of batches.
///
/// The position, the number of the piece and the number of pieces are authenticated, so that a relay can neither mix two states
/// nor leave out a part of one.
package struct SealedBase: Sendable {
    /// The maximum size of a sealed piece, in bytes.
    package static let pieceBytes = 256 << 10
    /// The maximum size of a piece before it is sealed, in bytes.
    package static let contentBytes = pieceBytes - BatchKeys.overheadBytes

    /// The position of the last batch that was applied to the state.
    package let position: BatchPosition
    /// The number of pieces.
    package let count: Int
    private let file: URL
    private let keys: BatchKeys

    /// Creates pieces of a file, which must stay as it is.
    ///
    /// - Throws: An error if the file can't be read.
    init(_ file: URL, at position: BatchPosition, _ keys: BatchKeys) throws {
        let size = try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int ?? 0
        self.file = file
        self.position = position
        self.keys = keys
        count = max(1, (size + Self.contentBytes - 1) / Self.contentBytes)
    }

    /// Returns a sealed piece.
    ///
    /// - Parameter number: The number of the piece, from 1.
    package func piece(_ number: Int) throws -> [UInt8] {
        let handle = try FileHandle(forReadingFrom: file)
        defer { try? handle.close() }
        try handle.seek(toOffset: UInt64((number - 1) * Self.contentBytes))
        let content = try handle.read(upToCount: Self.contentBytes) ?? Data()
        return keys.seal(piece: Array(content), number: number, of: count, at: position)
    }
}
