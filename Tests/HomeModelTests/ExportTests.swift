import Foundation
import HAPCatalog
import HomeModel
import Testing

/// Exports of homes.
@Suite struct ExportTests {
    private let home = UUID(uuidString: "00000000-0000-0000-0000-00000000000A") ?? UUID()

    private func room(_ number: Int, _ name: String) -> Record {
        .room(RoomRecord(id: UUID(uuidString: "00000000-0000-0000-0000-00000000000\(number)") ?? UUID(), name: name))
    }

    private func text(_ records: [Record]) throws -> String {
        try HomeExport(account: Account(user: UUID()), homes: [Home(id: home, records: records)]).text
    }

    @Test func equalHomesAreEqualTextsWhateverTheOrderOfTheirRecords() throws {
        let records = (1...5).map { room($0, "Room \($0)") }
        let one = try text(records)
        #expect(try text(records.reversed()) == one)
        #expect(one.split(separator: "\n").count == 7)
        #expect(one.hasPrefix(#"{"hearth":"export","version":2}"# + "\n"))
        #expect(one.hasSuffix("\n" + #"{"hearth":"end"}"# + "\n"))
    }

    @Test func aChangeOfOneRecordIsAChangeOfOneLine() throws {
        let records = (1...5).map { room($0, "Room \($0)") }
        var changed = records
        changed[2] = room(3, "Küche/Kitchen")
        let (before, after) = (try text(records).split(separator: "\n"), try text(changed).split(separator: "\n"))
        #expect(zip(before, after).count { $0 != $1 } == 1)
        #expect(before.count == after.count)
        #expect(after[3].contains("Küche/Kitchen"))
    }

    @Test func theUsersListOfHomesComesFirstAndItsOwnersIdentityIsNotTold() throws {
        let user = UUID()
        let record = AccountHomeRecord(id: home, name: "My Home", isPrimary: true, order: 0)
        let account = Account(user: user, records: [.accountHome(record)])
        let text = try HomeExport(account: account, homes: [Home(id: home, records: [room(1, "Attic")])]).text
        let lines = text.split(separator: "\n")
        #expect(lines.count == 4)
        #expect(lines[1].contains("My Home"))
        #expect(lines[2].contains("Attic"))
        #expect(!text.contains(user.uuidString))
    }

    @Test func homesThatWereRemovedLeaveNoGapInTheOrderOfTheOthers() throws {
        func list(_ orders: [Int]) -> Account {
            let records = orders.enumerated().map { number, order in
                let id = UUID(uuidString: "00000000-0000-0000-0000-00000000000\(number)") ?? UUID()
                return Record.accountHome(
                    AccountHomeRecord(id: id, name: "Home \(number)", isPrimary: number == 0, order: order)
                )
            }
            return Account(user: UUID(), records: records)
        }
        let (one, other) = (
            try HomeExport(account: list([1, 2]), homes: []), try HomeExport(account: list([3, 9]), homes: [])
        )
        #expect(one == other)
    }

    @Test func whatANewerVersionKeepsIsInTheTextToo() throws {
        let body = try JSONDecoder().decode(JSONValue.self, from: Data(#"{"kind":"robot","id":"R2","arms":2}"#.utf8))
        let text = try text([.unknown(kind: RecordKind(rawValue: "robot"), id: "R2", body: body), room(1, "Attic")])
        #expect(text.split(separator: "\n").dropLast().last?.contains(#""arms":2"#) == true)
    }
}
