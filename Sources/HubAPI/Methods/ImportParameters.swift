public import Foundation

/// Writes a piece of an export.
public struct WriteImport: Hashable, Sendable, Codable {
    /// The identity that the client gave the export, another one for each; a new one takes the place of the former.
    public var id: UUID
    /// Where the piece begins: where the one before ended, the first at 0.
    public var offset: Int
    /// Its bytes (base64 in messages).
    public var bytes: Data

    /// Makes the parameters.
    public init(id: UUID, offset: Int, bytes: Data) {
        self.id = id
        self.offset = offset
        self.bytes = bytes
    }
}

/// Imports homes.
public struct ImportHomes: Hashable, Sendable, Codable {
    /// The export, as it was named when it was written.
    public var id: UUID
    /// What the export calls the one home that is meant; nil means all of its homes.
    public var home: String?
    /// Whether to tell what would be done, and do nothing.
    public var isDryRun: Bool

    /// Makes the parameters.
    public init(id: UUID, home: String? = nil, isDryRun: Bool) {
        self.id = id
        self.home = home
        self.isDryRun = isDryRun
    }
}
