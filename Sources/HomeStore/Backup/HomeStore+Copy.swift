package import Foundation
import GRDB

extension HomeStore {
    /// Writes a consistent copy of the logs, state and secrets to a file. The store remains usable while the copy is
    /// written.
    ///
    /// - Parameter file: The path of the copy, which must not exist. It appears when the copy is complete, and only the
    ///   owner can read it.
    /// - Throws: ``StoreError``; in that case, there is no file.
    package func copy(to file: URL) async throws(StoreError) {
        let unfinished = file.path + ".new"
        do {
            try await FileWork.run { [database] in
                guard !FileManager.default.fileExists(atPath: file.path) else {
                    throw StoreError(.occupied, "\(file.path) already exists.")
                }
                try DatabaseFile.copy(database, to: unfinished, journal: .rollback)
                try DatabaseFile.moveIntoPlace(unfinished, as: file.path)
            }
        } catch {
            // Created before the leftovers are removed, because their removal frees space.
            let error = StoreError(error, file: file.path)
            DatabaseFile.removeLeftovers(unfinished)
            throw error
        }
    }
}
