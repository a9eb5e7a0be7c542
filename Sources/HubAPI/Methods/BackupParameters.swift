package import Foundation

/// Makes a backup of all homes.
package struct CreateBackup: Hashable, Sendable, Codable {
    /// What opens the backup, not empty. It is kept nowhere.
    package var passphrase: String

    /// Makes the parameters.
    package init(passphrase: String) {
        self.passphrase = passphrase
    }
}

/// A backup that was made, to be read by this connection.
package struct BackupInfo: Hashable, Sendable, Codable {
    /// The backup.
    package var id: UUID
    /// Its length in bytes.
    package var length: Int

    /// Makes the result.
    package init(id: UUID, length: Int) {
        self.id = id
        self.length = length
    }
}

/// Reads a piece of a backup.
package struct ReadBackup: Hashable, Sendable, Codable {
    /// The backup.
    package var id: UUID
    /// Where the piece begins.
    package var offset: Int

    /// Makes the parameters.
    package init(id: UUID, offset: Int) {
        self.id = id
        self.offset = offset
    }
}

/// A piece of a backup.
package struct BackupChunk: Hashable, Sendable, Codable {
    /// Its bytes (base64 in messages), as many as the hub sends at once; none at the end.
    package var bytes: Data

    /// Makes a piece.
    package init(bytes: Data) {
        self.bytes = bytes
    }
}
