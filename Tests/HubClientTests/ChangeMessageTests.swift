import Foundation
import HomeModel
import HubAPI
import Testing

/// Changes on the wire.
struct ChangeMessageTests {
    private static let record = Record.room(RoomRecord(id: UUID(), name: #"“Küche” \ "Bath""# + "\u{1}\n"))

    @Test(arguments: [
        LogChange(
            home: nil,
            lineage: UUID(),
            revision: 1,
            change: Change(verb: .roomAdded, subjects: [], effects: []),
            isMine: true
        ),
        LogChange(
            home: UUID(),
            lineage: UUID(),
            revision: .max,
            change: Change(
                verb: .roomRenamed,
                subjects: [UUID(), UUID()],
                effects: [.put(record), .remove(record.recordID)]
            ),
            isMine: false,
            user: UUID()
        ),
    ])
    func changesSurviveTheirLine(change: LogChange) throws {
        let line = try WireMessage.line(.change(change))
        #expect(line.count { $0 == UInt8(ascii: "\n") } == 1 && line.last == UInt8(ascii: "\n"))
        guard case .event(let read) = try WireMessage.message(from: line.dropLast()) else { throw CancellationError() }
        #expect(read == .change(change))
    }
}
