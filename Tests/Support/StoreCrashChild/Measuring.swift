import Foundation
import GRDB
import HomeModel
import HomeStore

/// Times appends to a store and, in turns with them, commits of the same bytes by SQLite alone, on the same disk.
struct Measuring {
    /// Microseconds of each.
    struct Times: Encodable {
        var append: [Double] = []
        var bare: [Double] = []
    }

    private static let turn = 50
    private static let roomCount = 100

    private let store: HomeStore
    private let queue: DatabaseQueue
    private let home = UUID()
    private let caller = Caller(user: UUID(), device: UUID(), app: "com.example.bench", client: UUID())
    private let rooms = (0..<Self.roomCount).map { RoomRecord(id: UUID(), name: "Room \($0)") }
    private var revision = 0

    init(_ store: HomeStore, folder: URL) throws {
        self.store = store
        queue = try DatabaseQueue(path: folder.appendingPathComponent("bare.sqlite").path)
        try queue.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA journal_mode = WAL")
            try database.execute(sql: "PRAGMA synchronous = FULL")
            try database.execute(sql: "CREATE TABLE bare (place INTEGER PRIMARY KEY, bytes BLOB NOT NULL) STRICT")
        }
    }

    mutating func times(_ count: Int) async throws -> Times {
        var times = Times()
        for room in rooms { try await store.append([draft(room)]) }
        while times.append.count < count {
            for room in rooms.prefix(Self.turn) {
                let draft = draft(room)
                let start = ContinuousClock.now
                try await store.append([draft])
                times.append.append((ContinuousClock.now - start) / .microseconds(1))
            }
            times.bare += try commits(Self.turn)
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

    private mutating func commits(_ count: Int) throws -> [Double] {
        let draft = draft(rooms[0])
        revision -= 1
        let encoded = try EncodedChange(draft.change)
        let entry = Entry(draft, payload: encoded.payload, lineage: UUID(), revision: 1, previousHash: .none)
        var bytes = Data(try entry.encoded()) + Data(EntryHash.none.bytes)
        if case .put(_, let body)? = encoded.effects.first { bytes += body }
        return try queue.writeWithoutTransaction { database in
            let begin = try database.makeStatement(sql: "BEGIN IMMEDIATE")
            let insert = try database.makeStatement(sql: "INSERT INTO bare (bytes) VALUES (?)")
            let commit = try database.makeStatement(sql: "COMMIT")
            return try (0..<count).map { _ in
                let start = ContinuousClock.now
                try begin.execute()
                try insert.execute(arguments: [bytes])
                try commit.execute()
                return (ContinuousClock.now - start) / .microseconds(1)
            }
        }
    }
}
