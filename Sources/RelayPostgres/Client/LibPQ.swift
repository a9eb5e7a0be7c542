internal import Glibc
import RelayAPI

/// The functions of PostgreSQL's client library. It is loaded when a relay uses PostgreSQL, so neither building nor other
/// uses of the program need it.
struct LibPQ: Sendable {
    static let name = "libpq.so.5"

    typealias Connection = OpaquePointer
    typealias Result = OpaquePointer
    typealias Text = UnsafePointer<CChar>
    typealias Texts = UnsafePointer<Text?>
    typealias Numbers = UnsafePointer<CInt>

    let connect: @convention(c) (Texts, Texts, CInt) -> Connection?
    let status: @convention(c) (Connection) -> CInt
    let transactionStatus: @convention(c) (Connection) -> CInt
    let errorMessage: @convention(c) (Connection) -> Text?
    let host: @convention(c) (Connection) -> Text?
    let database: @convention(c) (Connection) -> Text?
    let finish: @convention(c) (Connection) -> Void
    let setNonblocking: @convention(c) (Connection, CInt) -> CInt
    let socket: @convention(c) (Connection) -> CInt
    let sendQuery: @convention(c) (Connection, Text) -> CInt
    let sendPrepare: @convention(c) (Connection, Text, Text, CInt, UnsafePointer<UInt32>?) -> CInt
    let sendPrepared: @convention(c) (Connection, Text, CInt, Texts?, Numbers?, Numbers?, CInt) -> CInt
    let flush: @convention(c) (Connection) -> CInt
    let consumeInput: @convention(c) (Connection) -> CInt
    let isBusy: @convention(c) (Connection) -> CInt
    let nextResult: @convention(c) (Connection) -> Result?
    let resultStatus: @convention(c) (Result) -> CInt
    let resultError: @convention(c) (Result, CInt) -> Text?
    let rowCount: @convention(c) (Result) -> CInt
    let isNull: @convention(c) (Result, CInt, CInt) -> CInt
    let value: @convention(c) (Result, CInt, CInt) -> UnsafeMutablePointer<CChar>?
    let length: @convention(c) (Result, CInt, CInt) -> CInt
    let clear: @convention(c) (Result) -> Void

    /// Loads the library.
    ///
    /// - Throws: `failure` if it isn't there, or lacks a function.
    init() throws(RelayStoreError) {
        guard let library = dlopen(Self.name, RTLD_NOW) else {
            throw .failure(
                "A relay with --postgres needs PostgreSQL's client library, \(Self.name). Install it: apt-get install libpq5"
            )
        }
        func function<Function>(_ name: String) throws(RelayStoreError) -> Function {
            guard let symbol = dlsym(library, name) else {
                throw .failure("\(Self.name) has no \(name). Install the library of PostgreSQL 15 or later.")
            }
            return unsafeBitCast(symbol, to: Function.self)
        }
        connect = try function("PQconnectdbParams")
        status = try function("PQstatus")
        transactionStatus = try function("PQtransactionStatus")
        errorMessage = try function("PQerrorMessage")
        host = try function("PQhost")
        database = try function("PQdb")
        finish = try function("PQfinish")
        setNonblocking = try function("PQsetnonblocking")
        socket = try function("PQsocket")
        sendQuery = try function("PQsendQuery")
        sendPrepare = try function("PQsendPrepare")
        sendPrepared = try function("PQsendQueryPrepared")
        flush = try function("PQflush")
        consumeInput = try function("PQconsumeInput")
        isBusy = try function("PQisBusy")
        nextResult = try function("PQgetResult")
        resultStatus = try function("PQresultStatus")
        resultError = try function("PQresultErrorField")
        rowCount = try function("PQntuples")
        isNull = try function("PQgetisnull")
        value = try function("PQgetvalue")
        length = try function("PQgetlength")
        clear = try function("PQclear")
    }

    // MARK: Numbers of the library

    /// The status of a connection that works.
    static let connectionWorks: CInt = 0
    /// The status of a connection outside of transactions.
    static let isIdle: CInt = 0
    /// The statuses of results that aren't errors: an empty query, a command, and rows.
    static let successes: ClosedRange<CInt> = 0...2
    /// The fields of an error: its SQLSTATE and its text.
    static let stateField = CInt(UInt8(ascii: "C"))
    static let messageField = CInt(UInt8(ascii: "M"))
}
