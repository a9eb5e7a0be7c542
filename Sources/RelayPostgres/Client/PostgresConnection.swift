import Foundation
internal import Glibc

/// One connection to PostgreSQL.
final class PostgresConnection {
    // This is a class because it owns the connection. It isn't Sendable: one thread uses it.

    /// The time after which the server ends a statement, as a part of the time after which the server is given up.
    private static let statementPart = 0.75
    /// What applies unless the URL says otherwise.
    private static let defaults = [("connect_timeout", "5"), ("application_name", "hearth relay")]
    /// What answers mean is on the disk, whatever the server's defaults are. The statements find few rows by their keys in
    /// tables of any size, so they need no plans for their parameters.
    private static let settings = """
        SET synchronous_commit = on; SET client_min_messages = error; SET jit = off;
        SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off; SET enable_hashjoin = off;
        SET enable_mergejoin = off
        """

    private let library: LibPQ
    private let connection: LibPQ.Connection
    /// The time after which a server is given up that doesn't answer.
    private let patience: Duration
    private var prepared: Set<String> = []

    /// Connects.
    ///
    /// - Parameters:
    ///   - url: A URL or a string with parameters, as the library takes them.
    ///   - patience: The time after which a server is given up that doesn't answer.
    init(_ url: String, _ library: LibPQ, patience: Duration) throws(PostgresFailure) {
        self.library = library
        self.patience = patience
        let parameters = Self.defaults + [("dbname", url)]
        let opened = Self.withTexts(parameters.map(\.0)) { names in
            Self.withTexts(parameters.map(\.1)) { values in library.connect(names, values, 1) }
        }
        guard let opened else { throw PostgresFailure(kind: .other, message: "there is not enough memory") }
        connection = opened
        guard library.status(opened) == LibPQ.connectionWorks else { throw .lost(message) }
        guard library.setNonblocking(opened, 1) == 0 else { throw .lost(message) }
        let limit = Int(patience / .milliseconds(1) * Self.statementPart)
        try script("\(Self.settings); SET statement_timeout = \(limit)")
    }

    deinit {
        library.finish(connection)
    }

    /// Where the database is, without secrets.
    var place: String {
        let host = library.host(connection).map { String(cString: $0) } ?? ""
        return (host.isEmpty ? "" : host + " ") + (library.database(connection).map { String(cString: $0) } ?? "")
    }

    /// Whether a transaction has begun and not ended.
    var isInTransaction: Bool { library.transactionStatus(connection) != LibPQ.isIdle }

    private var message: String {
        let text = library.errorMessage(connection).map { String(cString: $0) } ?? ""
        let line = text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: " ")
        return line.isEmpty ? "the connection has ended" : line.trimmingCharacters(in: ["?", "."])
    }

    // MARK: Statements

    /// Runs a statement.
    @discardableResult
    func run(_ statement: PostgresStatement, _ values: [PostgresValue] = []) throws(PostgresFailure) -> PostgresResult {
        if !prepared.contains(statement.name) {
            try finish(library.sendPrepare(connection, statement.name, statement.sql, 0, nil))
            prepared.insert(statement.name)
        }
        let (count, library, connection) = (CInt(values.count), library, connection)
        let lengths = values.map { CInt($0.bytes.count) }
        let formats = [CInt](repeating: 1, count: values.count)
        let sent = Self.withBytes(values[...], []) { pointers in
            library.sendPrepared(connection, statement.name, count, pointers, lengths, formats, 1)
        }
        guard let result = try finish(sent) else {
            throw PostgresFailure(kind: .other, message: "\(statement.name) has no result")
        }
        return result
    }

    /// Runs statements that return nothing.
    func script(_ sql: String) throws(PostgresFailure) {
        try finish(library.sendQuery(connection, sql))
    }

    /// Runs `body` in a transaction, which is undone if it throws.
    func transaction<Value>(_ body: () throws -> Value) throws -> Value {
        try script("BEGIN")
        do {
            let value = try body()
            try script("COMMIT")
            return value
        } catch {
            if isInTransaction { try? script("ROLLBACK") }
            throw error
        }
    }

    // MARK: The socket

    /// Sends what waits, and receives all results.
    ///
    /// - Returns: The last result.
    @discardableResult
    private func finish(_ sent: CInt) throws(PostgresFailure) -> PostgresResult? {
        guard sent == 1 else { throw .lost(message) }
        let end = ContinuousClock.now + patience
        while case let rest = library.flush(connection), rest != 0 {
            guard rest > 0 else { throw .lost(message) }
            try wait(for: Int16(POLLIN | POLLOUT), until: end)
            guard library.consumeInput(connection) == 1 else { throw .lost(message) }
        }
        var last: PostgresResult?
        var failure: PostgresFailure?
        while true {
            while library.isBusy(connection) == 1 {
                try wait(for: Int16(POLLIN), until: end)
                guard library.consumeInput(connection) == 1 else { throw .lost(message) }
            }
            guard let next = library.nextResult(connection) else { break }
            let result = PostgresResult(next, of: library)
            failure = failure ?? result.failure
            last = result
        }
        guard library.status(connection) == LibPQ.connectionWorks else { throw .lost(failure?.message ?? message) }
        if let failure { throw failure }
        return last
    }

    private func wait(for events: Int16, until end: ContinuousClock.Instant) throws(PostgresFailure) {
        var descriptor = pollfd(fd: library.socket(connection), events: events, revents: 0)
        while true {
            let rest = (end - ContinuousClock.now) / .milliseconds(1)
            guard rest > 0 else { throw .lost("it hasn't answered for \(patience)") }
            let ready = poll(&descriptor, 1, CInt(rest.rounded(.up)))
            if ready > 0 { return }
            guard ready == 0 || errno == EINTR else { throw .lost(String(cString: strerror(errno))) }
        }
    }

    // MARK: Memory

    private static func withTexts<Value>(_ texts: [String], _ body: (LibPQ.Texts) -> Value) -> Value {
        let copies = texts.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        return (copies.map { UnsafePointer($0) } + [nil]).withUnsafeBufferPointer { pointers in
            // An array with an end is never empty.
            guard let start = pointers.baseAddress else { preconditionFailure() }
            return body(start)
        }
    }

    private static func withBytes(
        _ values: ArraySlice<PostgresValue>,
        _ pointers: [LibPQ.Text?],
        _ body: (LibPQ.Texts?) -> CInt
    ) -> CInt {
        guard let value = values.first else {
            return pointers.withUnsafeBufferPointer { body($0.baseAddress) }
        }
        return value.bytes.withUnsafeBytes { bytes in
            // A pointer that is nil would be NULL; an empty value needs one that points somewhere.
            let start = bytes.baseAddress ?? UnsafeRawPointer(bitPattern: 1)
            return withBytes(values.dropFirst(), pointers + [start?.assumingMemoryBound(to: CChar.self)], body)
        }
    }
}
