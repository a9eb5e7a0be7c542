package import Foundation

/// Writes a piece of an export.
package struct WriteImport: Hashable, Sendable, Codable {
    /// The identity that the client gave the export, another one for each; a new one takes the place of the former.
    package var id: UUID
    /// Where the piece begins: where the one before ended, the first at 0.
    package var offset: Int
    /// Its bytes (base64 in messages).
    package var bytes: Data

    /// Makes the parameters.
    package init(id: UUID, offset: Int, bytes: Data) {
        self.id = id
        self.offset = offset
        self.bytes = bytes
    }
}

/// Imports homes.
package struct ImportHomes: Hashable, Sendable, Codable {
    /// The export, as it was named when it was written.
    package var id: UUID
    /// What the export calls the one home that is meant; nil means all of its homes.
    package var home: String?
    /// Whether to tell what would be done, and do nothing.
    package var isDryRun: Bool

    /// Makes the parameters.
    package init(id: UUID, home: String? = nil, isDryRun: Bool) {
        self.id = id
        self.home = home
        self.isDryRun = isDryRun
    }
}
