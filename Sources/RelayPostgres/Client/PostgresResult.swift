import Foundation

/// The rows that a statement returned.
final class PostgresResult {
    // This is a class because it owns the library's memory.

    private let library: LibPQ
    private let result: LibPQ.Result

    /// Takes over a result.
    init(_ result: LibPQ.Result, of library: LibPQ) {
        self.result = result
        self.library = library
    }

    deinit {
        library.clear(result)
    }

    /// The failure that the result is; `nil` if it is none.
    var failure: PostgresFailure? {
        guard !LibPQ.successes.contains(library.resultStatus(result)) else { return nil }
        func field(_ code: CInt) -> String { library.resultError(result, code).map { String(cString: $0) } ?? "" }
        return PostgresFailure(state: field(LibPQ.stateField), message: field(LibPQ.messageField))
    }

    /// The number of rows.
    var count: Int { Int(library.rowCount(result)) }

    /// Returns the bytes of a value; `nil` for NULL.
    func data(_ row: Int, _ column: Int) -> Data? {
        let (row, column) = (CInt(row), CInt(column))
        guard library.isNull(result, row, column) == 0, let start = library.value(result, row, column) else {
            return nil
        }
        return Data(bytes: start, count: Int(library.length(result, row, column)))
    }

    /// Returns an integer of any width; `nil` for NULL.
    func number(_ row: Int, _ column: Int) -> Int64? {
        guard let data = data(row, column), let first = data.first, data.count <= MemoryLayout<Int64>.size else {
            return nil
        }
        return data.reduce(first >= 0x80 ? -1 : 0) { $0 << 8 | Int64($1) }
    }

    /// Returns a text; `nil` for NULL.
    func text(_ row: Int, _ column: Int) -> String? { data(row, column).map { String(decoding: $0, as: UTF8.self) } }

    /// Returns a truth value; `nil` for NULL.
    func boolean(_ row: Int, _ column: Int) -> Bool? { data(row, column).map { $0.first == 1 } }
}
