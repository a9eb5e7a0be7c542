import Foundation
import GRDB
import HomeModel

extension StoreError {
    /// Creates a store error from an error of the database or of a file.
    init(_ error: any Error, file: String) {
        switch error {
        case let error as StoreError:
            self = error
        case let error as EntryError:
            self.init(.damaged, error.reason)
        case let error as DatabaseError:
            if let full = Self.full(error, file: file) {
                self = full
                return
            }
            let text = error.message ?? "SQLite error \(error.extendedResultCode.rawValue)"
            switch error.resultCode {
            case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_FORMAT, .SQLITE_ERROR, .SQLITE_CONSTRAINT, .SQLITE_MISMATCH:
                // The statements are fixed, so a statement that fails means that the tables have been changed.
                self = .damaged(file: file, text)
            case .SQLITE_MISUSE:
                self.init(.closed, "The store \(file) was closed.")
            default:
                self.init(.inputOutput, "\(file) cannot be read or written: \(text).")
            }
        default:
            self.init(.inputOutput, "\(file) cannot be read or written: \(error).")
        }
    }

    /// The free space in bytes below which the disk counts as full. SQLite may fail before it is used up completely.
    private static let noRoom: UInt = 1 << 16

    /// Returns the error for a full disk, if that is the cause. SQLite reports an I/O error if a full disk can't
    /// provide the memory that is shared through a file.
    static func full(_ error: any Error, file: String) -> StoreError? {
        guard let error = error as? DatabaseError,
            [.SQLITE_FULL, .SQLITE_IOERR, .SQLITE_CANTOPEN].contains(error.resultCode)
        else { return nil }
        var status = statvfs()
        let folder = URL(fileURLWithPath: file).deletingLastPathComponent().path
        let isFull = statvfs(folder, &status) == 0 && UInt(status.f_bavail) * UInt(status.f_frsize) < noRoom
        guard isFull || error.resultCode == .SQLITE_FULL else { return nil }
        return StoreError(.full, "There is no space left for \(file). Free some space and try again.")
    }

    /// Returns the error for a database that can't be read.
    static func damaged(file: String, _ what: String) -> StoreError {
        StoreError(
            .damaged,
            "\(file) is damaged: \(what). It was left unchanged. Restore a backup, or keep the file and ask for help."
                + " A hub with a new, empty data folder starts without homes."
        )
    }
}
