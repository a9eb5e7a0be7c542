package import Foundation

/// Uploads a chunk of an export.
package struct WriteImport: Hashable, Sendable, Codable {
    /// The export's ID, chosen by the client. A new ID starts a new export and discards the previous one.
    package var id: UUID
    /// The offset of the chunk in the export, in bytes. The first is 0; each later one is the end of the chunk before.
    package var offset: Int
    /// The chunk's bytes (base64 in messages).
    package var bytes: Data

    package init(id: UUID, offset: Int, bytes: Data) {
        self.id = id
        self.offset = offset
        self.bytes = bytes
    }
}

/// Imports homes.
package struct ImportHomes: Hashable, Sendable, Codable {
    /// The ID under which the export was uploaded.
    package var id: UUID
    /// The name, in the export, of the home to import; `nil` to import all homes.
    package var home: String?
    /// Whether to report the changes without making them.
    package var isDryRun: Bool

    package init(id: UUID, home: String? = nil, isDryRun: Bool) {
        self.id = id
        self.home = home
        self.isDryRun = isDryRun
    }
}
