/// The versions of a house's vault.
package struct VaultStatus: Hashable, Sendable, Codable {
    /// A version.
    package struct Version: Hashable, Sendable, Codable {
        /// Its number; a larger one is newer.
        package var version: Int64
        /// The number of its pieces.
        package var pieces: Int
        /// Whether the relay has all of them.
        package var isComplete: Bool

        /// Creates a version.
        package init(version: Int64, pieces: Int, isComplete: Bool) {
            self.version = version
            self.pieces = pieces
            self.isComplete = isComplete
        }

        private enum CodingKeys: String, CodingKey {
            case version, pieces
            case isComplete = "complete"
        }
    }

    /// The versions, the newest first.
    package var versions: [Version]

    /// Creates the status.
    package init(_ versions: [Version]) {
        self.versions = versions
    }

    /// What becomes of a piece.
    package enum Decision: Hashable, Sendable {
        /// It is stored, once these versions are removed.
        case store(removing: [Int64])
        /// Its version is complete, so it changes nothing, and is accepted only if it is the stored one, sent again.
        case compare(newest: Int64)
    }

    /// Decides about a piece. Only one version is incomplete at a time: the newest that was begun.
    ///
    /// - Throws: `outdated` if a newer version is complete or was begun.
    package func deciding(about piece: VaultPiece) throws(RelayStoreError) -> Decision {
        if let newest = versions.first(where: \.isComplete), piece.version <= newest.version {
            guard piece.version == newest.version, piece.pieces == newest.pieces else {
                throw .outdated(stored: newest.version)
            }
            return .compare(newest: newest.version)
        }
        var removed: [Int64] = []
        for version in versions where !version.isComplete {
            guard version.version <= piece.version else { throw .outdated(stored: version.version) }
            if version.version < piece.version || version.pieces != piece.pieces { removed.append(version.version) }
        }
        return .store(removing: removed)
    }

    /// The versions that are removed because enough newer ones are complete.
    package var superseded: [Int64] {
        versions.filter(\.isComplete).dropFirst(RelayLimits.vaultVersions).map(\.version)
    }
}
