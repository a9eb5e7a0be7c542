public import Foundation

/// Makes a backup of all homes.
public struct CreateBackup: Hashable, Sendable, Codable {
    /// What opens the backup, not empty. It is kept nowhere.
    public var passphrase: String

    /// Makes the parameters.
    public init(passphrase: String) {
        self.passphrase = passphrase
    }
}

/// A backup that was made, to be read by this connection.
public struct BackupInfo: Hashable, Sendable, Codable {
    /// The backup.
    public var id: UUID
    /// Its length in bytes.
    public var length: Int

    /// Makes the result.
    public init(id: UUID, length: Int) {
        self.id = id
        self.length = length
    }
}

/// Reads a piece of a backup.
public struct ReadBackup: Hashable, Sendable, Codable {
    /// The backup.
    public var id: UUID
    /// Where the piece begins.
    public var offset: Int

    /// Makes the parameters.
    public init(id: UUID, offset: Int) {
        self.id = id
        self.offset = offset
    }
}

/// A piece of a backup.
public struct BackupChunk: Hashable, Sendable, Codable {
    /// Its bytes (base64 in messages), as many as the hub sends at once; none at the end.
    public var bytes: Data

    /// Makes a piece.
    public init(bytes: Data) {
        self.bytes = bytes
    }
}
