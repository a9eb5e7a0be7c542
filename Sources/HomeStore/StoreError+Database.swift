import Foundation
import GRDB
import HomeModel

extension StoreError {
    /// The error for whatever came out of the database or a file.
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
                // The statements are fixed: one that does not fit finds other tables than were made.
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

    /// What is left on a disk, in bytes, when SQLite fails for want of room: less than it takes in one piece.
    private static let noRoom: UInt = 1 << 16

    /// The error if it is for want of room that something failed: memory that is shared by a file cannot be had on a full
    /// disk either, and SQLite calls that an I/O error.
    static func full(_ error: any Error, file: String) -> StoreError? {
        guard let error = error as? DatabaseError,
            [.SQLITE_FULL, .SQLITE_IOERR, .SQLITE_CANTOPEN].contains(error.resultCode)
        else { return nil }
        var status = statvfs()
        let folder = URL(fileURLWithPath: file).deletingLastPathComponent().path
        let isFull = statvfs(folder, &status) == 0 && UInt(status.f_bavail) * UInt(status.f_frsize) < noRoom
        guard isFull || error.resultCode == .SQLITE_FULL else { return nil }
        return StoreError(.full, "There is no space left for \(file): free some and try again.")
    }

    /// The error for a database that cannot be read.
    static func damaged(file: String, _ what: String) -> StoreError {
        StoreError(
            .damaged,
            "\(file) is damaged: \(what). It was left as it is. Restore a backup, or keep the file and ask for help;"
                + " a hub with another, empty data folder starts with no homes."
        )
    }
}
