import Foundation
import GRDB
import HomeModel
import HomeStore

/// Measures appends to a store, or of two hubs, alternating with commits of the same bytes by SQLite alone, on the same disk.
struct AppendBenchmark {
    /// The durations in microseconds.
    struct Times: Encodable {
        var append: [Double] = []
        var bare: [Double] = []
    }

    private static let roomCount = 100

    private let writer: any ChangeWriter
    private let queue: DatabaseQueue
    private let home = UUID()
    private let caller = Caller(user: UUID(), device: UUID(), app: "com.example.bench", client: UUID())
    private let rooms = (0..<Self.roomCount).map { RoomRecord(id: UUID(), name: "Room \($0)") }
    private var revision = 0

    init(_ writer: any ChangeWriter, folder: URL) throws {
        self.writer = writer
        queue = try DatabaseQueue(path: folder.appendingPathComponent("bare.sqlite").path)
        try queue.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA journal_mode = WAL")
            try database.execute(sql: "PRAGMA synchronous = FULL")
            try database.execute(sql: "CREATE TABLE bare (place INTEGER PRIMARY KEY, bytes BLOB NOT NULL) STRICT")
        }
    }

    mutating func times(_ count: Int) async throws -> Times {
        var times = Times()
        for room in rooms { try await writer.append([draft(room)], removing: []) }
        let bytes = try bytes()
        for number in 0..<count {
            let draft = draft(rooms[number % rooms.count])
            let start = ContinuousClock.now
            try await writer.append([draft], removing: [])
            times.append.append((ContinuousClock.now - start) / .microseconds(1))
            times.bare.append(try commit(bytes))
        }
        return times
    }

    private mutating func draft(_ room: RoomRecord) -> EntryDraft {
        defer { revision += 1 }
        var room = room
        room.name = "Room number \(revision)"
        return EntryDraft(
            log: .home(home),
            entryID: UUID(),
            caller: caller,
            cause: .app,
            time: Date(),
            change: Change(verb: .roomRenamed, subjects: [room.id], effects: [.put(.room(room))]),
            expectedRevision: revision
        )
    }

    /// The data that an append writes: the entry, its hash and the record.
    private mutating func bytes() throws -> Data {
        let draft = draft(rooms[0])
        revision -= 1
        let encoded = try EncodedChange(draft.change)
        let entry = Entry(draft, payload: encoded.payload, lineage: UUID(), revision: 1, previousHash: .none)
        var bytes = Data(try entry.encoded()) + Data(EntryHash.none.bytes)
        if case .put(_, let body)? = encoded.effects.first { bytes += body }
        return bytes
    }

    /// The duration of a commit with prepared statements, without waiting for other writers.
    private func commit(_ bytes: Data) throws -> Double {
        try queue.writeWithoutTransaction { database in
            let begin = try database.cachedStatement(sql: "BEGIN IMMEDIATE")
            let insert = try database.cachedStatement(sql: "INSERT INTO bare (bytes) VALUES (?)")
            let commit = try database.cachedStatement(sql: "COMMIT")
            let start = ContinuousClock.now
            try begin.execute()
            try insert.execute(arguments: [bytes])
            try commit.execute()
            return (ContinuousClock.now - start) / .microseconds(1)
        }
    }
}
