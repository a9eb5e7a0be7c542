import Foundation
import HomeModel
import Testing

/// The change that takes over a later state of a log, as its user saw it.
struct RecoveryTests {
    private func device(_ name: String, key: [UInt8]? = [1], id: UUID = UUID()) -> Record {
        .accountDevice(AccountDeviceRecord(id: id, name: name, kind: .agent, key: key, added: Date(milliseconds: 0)))
    }

    private func room(_ name: String, id: UUID = UUID()) -> Record { .room(RoomRecord(id: id, name: name)) }

    @Test func recordsBecomeAsTheyWereSeen() {
        let (same, renamed, gone, new) = (room("Same"), UUID(), room("Gone"), room("New"))
        let change = Change.recovery(
            of: [same, room("Old", id: renamed), gone],
            to: [same, room("Young", id: renamed), new]
        )
        #expect(change.verb == .recovered)
        #expect(change.effects == [.put(room("Young", id: renamed)), .put(new), .remove(gone.recordID)])
    }

    @Test func whatTheUserDoesNotSeeStays() {
        let id = UUID()
        guard case .accountDevice(var former) = device("Laptop", id: id) else { return }
        (former.box, former.relayKey) = ([2], [3])
        let unknown = Record.unknown(kind: RecordKind(rawValue: "later"), id: "1", body: .object([:]))
        let change = Change.recovery(
            of: [.accountDevice(former), unknown],
            to: [device("Notebook", id: id), device("Browser", key: nil)]
        )
        former.name = "Notebook"
        #expect(change.effects == [.put(.accountDevice(former))], "browsers sign in again")
    }

    @Test func aLogThatIsNewIsTakenOverWhole() {
        let rooms = [room("Kitchen"), room("Bath")]
        #expect(Change.recovery(of: [], to: rooms).effects == rooms.map(Effect.put))
    }
}
