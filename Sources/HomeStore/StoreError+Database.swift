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
            let text = error.message ?? "SQLite error \(error.extendedResultCode.rawValue)"
            switch error.resultCode {
            case .SQLITE_FULL:
                self.init(.full, "There is no space left for \(file): free some and try again.")
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

    /// The error for a database that cannot be read.
    static func damaged(file: String, _ what: String) -> StoreError {
        StoreError(
            .damaged,
            "\(file) is damaged: \(what). It was left as it is. Restore a backup, or keep the file and ask for help;"
                + " a hub with another, empty data folder starts with no homes."
        )
    }
}
