package import Consensus
package import Foundation

/// A piece of the state of a house's two hubs, which the relay keeps in place of batches. The relay can't read it.
package struct BasePiece: Hashable, Sendable {
    /// The number of the pair of hubs.
    package var pair: Int64
    /// The term in which the hub that sends it leads.
    package var term: Int
    /// The position of the last batch that was applied to the state.
    package var position: BatchPosition
    /// The number of the piece, from 1.
    package var piece: Int
    /// The number of pieces.
    package var pieces: Int
    /// The piece.
    package var bytes: Data

    /// Creates a piece.
    package init(pair: Int64, term: Int, position: BatchPosition, piece: Int, pieces: Int, bytes: Data) {
        self.pair = pair
        self.term = term
        self.position = position
        self.piece = piece
        self.pieces = pieces
        self.bytes = bytes
    }

    /// Throws if a number is out of range, or if the state would exceed a quota.
    package func check(_ quota: HouseQuota) throws(RelayError) {
        guard term >= 1, position.place >= 1, position.term >= 1, piece >= 1, pieces >= piece, !bytes.isEmpty,
            bytes.count <= RelayLimits.vaultPieceBytes
        else { throw .malformed("A piece has a term, a place, a number from 1 to the number of pieces, and bytes.") }
        guard pieces <= quota.basePieces else {
            throw RelayError(.quotaExceeded, "The state of two hubs has at most \(quota.basePieces) pieces.")
        }
    }
}
