import Foundation
import HomeModel
import HomeStore

/// Creates consecutive drafts for a home's log.
struct TestLog {
    let id = UUID()
    let caller = Caller(user: UUID(), device: UUID(), app: "test", client: UUID())
    var revision = 0

    var log: LogID { .home(id) }

    /// Returns a draft with a new room or with the given change.
    mutating func next(
        _ name: String = "Room",
        entryID: UUID = UUID(),
        change: Change? = nil,
        receipt: RequestReceipt? = nil,
        at time: Date = Date(timeIntervalSince1970: 1_700_000_000.25)
    ) -> EntryDraft {
        defer { revision += 1 }
        let room = RoomRecord(id: UUID(), name: name)
        var draft = EntryDraft(
            log: log,
            entryID: entryID,
            caller: caller,
            cause: .app,
            time: time,
            change: change ?? Change(verb: .roomAdded, subjects: [room.id], effects: [.put(.room(room))]),
            expectedRevision: revision
        )
        draft.receipt = receipt
        return draft
    }
}

/// Returns the code of the error that a closure throws; `nil` if it doesn't throw.
func refusal<Value>(_ body: () async throws -> Value) async -> StoreError.Code? {
    do {
        _ = try await body()
        return nil
    } catch {
        return (error as? StoreError)?.code ?? StoreError.Code(rawValue: "\(error)")
    }
}
