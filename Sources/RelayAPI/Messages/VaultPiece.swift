package import Foundation

/// A piece of a version of a house's vault.
package struct VaultPiece: Hashable, Sendable {
    /// The version.
    package var version: Int64
    /// The number of the piece, from 1.
    package var piece: Int
    /// The number of pieces of the version.
    package var pieces: Int
    /// The piece.
    package var bytes: Data

    /// Creates a piece.
    package init(version: Int64, piece: Int, pieces: Int, bytes: Data) {
        self.version = version
        self.piece = piece
        self.pieces = pieces
        self.bytes = bytes
    }

    /// Throws if a number is out of range, or if the version would exceed a quota.
    package func check(_ quota: HouseQuota) throws(RelayError) {
        guard version >= 1, version < RelayLimits.maximumNumber, piece >= 1, pieces >= piece, !bytes.isEmpty,
            bytes.count <= RelayLimits.vaultPieceBytes
        else { throw .malformed("A piece has a version, a number from 1 to the number of pieces, and bytes.") }
        guard pieces <= quota.vaultPieces else {
            throw RelayError(.quotaExceeded, "A vault has at most \(quota.vaultPieces) pieces.")
        }
    }
}
