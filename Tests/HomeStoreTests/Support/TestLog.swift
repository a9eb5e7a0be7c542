import Foundation
import HomeModel
import HomeStore

/// Makes drafts for a home's log, one after the other.
struct TestLog {
    let id = UUID()
    let caller = Caller(user: UUID(), device: UUID(), app: "test", client: UUID())
    var revision = 0

    var log: LogID { .home(id) }

    /// A draft of a new room, or of a change that is given.
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

/// The code with which something is refused; nil if it is not.
func refusal<Value>(_ body: () async throws -> Value) async -> StoreError.Code? {
    do {
        _ = try await body()
        return nil
    } catch {
        return (error as? StoreError)?.code ?? StoreError.Code(rawValue: "\(error)")
    }
}
