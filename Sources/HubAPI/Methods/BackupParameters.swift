package import Foundation

/// Creates a backup of all homes.
package struct CreateBackup: Hashable, Sendable, Codable {
    /// The passphrase that decrypts the backup, not empty. The hub doesn't store it.
    package var passphrase: String

    package init(passphrase: String) {
        self.passphrase = passphrase
    }
}

/// A backup that this connection can read.
package struct BackupInfo: Hashable, Sendable, Codable {
    /// The ID of the backup.
    package var id: UUID
    /// The backup's length in bytes.
    package var length: Int

    package init(id: UUID, length: Int) {
        self.id = id
        self.length = length
    }
}

/// Reads a chunk of a backup.
package struct ReadBackup: Hashable, Sendable, Codable {
    /// The ID of the backup.
    package var id: UUID
    /// The offset of the chunk in the backup, in bytes.
    package var offset: Int

    package init(id: UUID, offset: Int) {
        self.id = id
        self.offset = offset
    }
}

/// A chunk of a backup.
package struct BackupChunk: Hashable, Sendable, Codable {
    /// The chunk's bytes (base64 in messages), as many as the hub sends in one reply; empty at the end.
    package var bytes: Data

    /// Creates a chunk.
    package init(bytes: Data) {
        self.bytes = bytes
    }
}
