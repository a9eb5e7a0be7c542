package import Foundation
import GRDB

extension HomeStore {
    /// Writes a copy of everything, as it is at one moment, into a file of its own: logs, state and secrets. The store
    /// goes on meanwhile.
    ///
    /// - Parameter file: Where the copy gets its name when it is whole; nothing may have the name. Only the owner may read
    ///   it.
    /// - Throws: ``StoreError``; then there is no file.
    package func copy(to file: URL) async throws(StoreError) {
        let unfinished = file.path + ".new"
        do {
            try await Task.detached { [database] in
                guard !FileManager.default.fileExists(atPath: file.path) else {
                    throw StoreError(.occupied, "\(file.path) is there already.")
                }
                try DatabaseFile.copy(database, to: unfinished, journal: .rollback)
                try DatabaseFile.giveName(file.path, to: unfinished)
            }.value
        } catch {
            // Made before the leftovers go, which makes room.
            let error = StoreError(error, file: file.path)
            DatabaseFile.removeLeftovers(unfinished)
            throw error
        }
    }
}
