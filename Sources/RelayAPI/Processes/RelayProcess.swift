package import Foundation

/// One of the processes that serve a relay together.
package struct RelayProcess: Hashable, Sendable {
    /// Its ID, which it draws when it starts.
    package var id: UUID
    /// The URL under which clients reach it.
    package var url: String

    /// Creates a process.
    package init(id: UUID, url: String) {
        self.id = id
        self.url = url
    }
}
