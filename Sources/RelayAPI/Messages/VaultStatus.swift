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
}
