import Foundation
import HomeModel
import Testing

@Suite struct AccountTests {
    private var account = Account(user: UUID())

    @discardableResult
    private mutating func ask(_ request: AccountRequest) throws(HomeError) -> Change? {
        let change = try account.decide(request)
        if let change { account.apply(change) }
        return change
    }

    private mutating func addHome(_ name: String) throws(HomeError) -> UUID {
        let id = UUID()
        try ask(.addHome(id: id, name: name))
        return id
    }

    private func refusal(of request: AccountRequest) -> HomeError.Code? {
        do throws(HomeError) {
            _ = try account.decide(request)
            return nil
        } catch {
            return error.code
        }
    }

    @Test mutating func theFirstHomeBecomesThePrimaryOne() throws {
        #expect(account.primaryHome == nil)
        let first = try addHome("Home")
        let second = try addHome("Cabin")
        #expect(account.homes.map(\.id) == [first, second])
        #expect(account.primaryHome?.id == first)
        #expect(account.home(named: "CABIN")?.id == second)
    }

    @Test mutating func homesHaveNamesOfTheirOwn() throws {
        let first = try addHome("Home 1")
        let second = try addHome("Cabin")
        #expect(refusal(of: .addHome(id: UUID(), name: "home1")) == .nameTaken)
        #expect(refusal(of: .renameHome(second, name: "HOME 1")) == .nameTaken)
        #expect(refusal(of: .addHome(id: UUID(), name: "Home!")) == .nameInvalidCharacter)
        #expect(refusal(of: .addHome(id: first, name: "Other")) == .alreadyAdded)
        #expect(try ask(.renameHome(first, name: "HOME 1"))?.verb == .homeRenamed)
        #expect(try ask(.renameHome(first, name: "HOME 1")) == nil)
        #expect(account.homes.map(\.name) == ["HOME 1", "Cabin"])
    }

    @Test mutating func removingThePrimaryHomeMakesTheNextOnePrimary() throws {
        let first = try addHome("A")
        let second = try addHome("B")
        let third = try addHome("C")
        try ask(.setPrimaryHome(second))
        let change = try ask(.removeHome(second))
        #expect(change?.verb == .homeRemoved)
        #expect(change?.subjects == [second, third])
        #expect(account.primaryHome?.id == third)
        #expect(try ask(.removeHome(third))?.subjects == [third, first])
        #expect(account.primaryHome?.id == first)
        #expect(try ask(.removeHome(first))?.subjects == [first])
        #expect(account.primaryHome == nil)
        let last = try addHome("D")
        #expect(account.primaryHome?.id == last)
    }

    @Test mutating func removingAnotherHomeLeavesThePrimaryOne() throws {
        let first = try addHome("A")
        let second = try addHome("B")
        #expect(try ask(.removeHome(second))?.subjects == [second])
        #expect(account.primaryHome?.id == first)
    }

    @Test mutating func anyHomeCanBeMadeThePrimaryOne() throws {
        let first = try addHome("A")
        let second = try addHome("B")
        let change = try ask(.setPrimaryHome(second))
        #expect(change?.verb == .primaryHomeChanged)
        #expect(change?.subjects == [second])
        #expect(account.homes.map(\.isPrimary) == [false, true])
        #expect(account.homes.map(\.id) == [first, second])
        #expect(try ask(.setPrimaryHome(second)) == nil)
    }

    @Test mutating func unknownHomesAreNotFound() throws {
        _ = try addHome("A")
        for request in [AccountRequest.removeHome(UUID()), .renameHome(UUID(), name: "B"), .setPrimaryHome(UUID())] {
            #expect(refusal(of: request) == .notFound)
        }
    }

    @Test mutating func aUserHasTheirLimitOfHomesAndNotOneMore() throws {
        for number in 1...HomeLimits.homesPerUser { _ = try addHome("Home \(number)") }
        #expect(refusal(of: .addHome(id: UUID(), name: "Home")) == .limitExceeded)
    }

    @Test mutating func anAppIsAllowedDeniedAndForgotten() throws {
        #expect(try ask(.decideApp("com.example", purpose: "To see.", isAllowed: true))?.verb == .appDecided)
        #expect(try ask(.decideApp("com.example", purpose: "To see.", isAllowed: true)) == nil)
        try ask(.decideApp("com.other", purpose: "", isAllowed: false))
        try ask(.decideApp("com.example", purpose: "To see.", isAllowed: false))
        let apps = [
            AccountAppRecord(id: "com.example", purpose: "To see.", isAllowed: false),
            AccountAppRecord(id: "com.other", purpose: "", isAllowed: false),
        ]
        #expect(Array(account.apps) == apps)
        #expect(Account(user: account.user, records: account.records) == account)
        #expect(try ask(.forgetApp("com.example"))?.verb == .appForgotten)
        #expect(Array(account.apps) == [apps[1]])
        #expect(refusal(of: .forgetApp("com.example")) == .notFound)
    }

    @Test mutating func anAppHasAnIdentifierAndWhatItSaysIsCut() throws {
        let most = String(repeating: "a", count: HomeLimits.appIdentifierLength)
        #expect(refusal(of: .decideApp("", purpose: "", isAllowed: true)) == .invalidParameter)
        #expect(refusal(of: .decideApp(most + "a", purpose: "", isAllowed: true)) == .invalidParameter)
        let long = String(repeating: "x", count: 500_000)
        #expect(refusal(of: .decideApp(long, purpose: "", isAllowed: true)) == .invalidParameter)
        try ask(.decideApp(most, purpose: long, isAllowed: true))
        #expect(account.apps.first?.purpose.count == HomeLimits.purposeLength)
    }

    @Test mutating func aUserHasTheirLimitOfAppsAndNotOneMore() throws {
        for number in 1...HomeLimits.appsPerUser {
            try ask(.decideApp("com.example.\(number)", purpose: "", isAllowed: true))
        }
        #expect(refusal(of: .decideApp("com.example", purpose: "", isAllowed: true)) == .limitExceeded)
        #expect(try ask(.decideApp("com.example.1", purpose: "", isAllowed: false)) != nil)
    }

    @Test(arguments: 0..<20)
    mutating func anAccountIsWhatItsRecordsSayWhateverHappens(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var ids: [UUID] = []
        for _ in 0..<300 {
            let known = ids.randomElement(using: &random) ?? random.uuid()
            let name = ["A", "a", "B", "C D", "'", ""].randomElement(using: &random) ?? ""
            let request: AccountRequest =
                switch Int.random(in: 0..<4, using: &random) {
                case 0: .addHome(id: random.uuid(), name: name)
                case 1: .removeHome(known)
                case 2: .renameHome(known, name: name)
                default: .setPrimaryHome(known)
                }
            if case .addHome(let id, _) = request { ids.append(id) }
            _ = try? ask(request)
            #expect(account.homes.count(where: \.isPrimary) == (account.homes.isEmpty ? 0 : 1))
            #expect(account.homes.map(\.order) == account.homes.map(\.order).sorted())
            #expect(Account(user: account.user, records: account.records) == account)
        }
    }

    @Test mutating func recordsOfOtherLogsAndNewerVersionsAreKept() throws {
        let app = Record.unknown(
            kind: RecordKind(rawValue: "app"),
            id: "1",
            body: .object(["kind": .string("app"), "id": .string("1")])
        )
        account.apply(
            Change(verb: .homeAdded, subjects: [], effects: [.put(app), .remove(RecordID(kind: .room, id: ""))])
        )
        #expect(account.records == [app])
        account.apply(Change(verb: .homeAdded, subjects: [], effects: [.remove(app.recordID)]))
        #expect(account.records == [])
    }

    @Test mutating func anOrderAtTheEndOfItsRangeIsNoTrap() throws {
        let record = AccountHomeRecord(id: UUID(), name: "A", isPrimary: false, order: .max)
        account.apply(Change(verb: .homeAdded, subjects: [], effects: [.put(.accountHome(record))]))
        let id = try addHome("B")
        #expect(account.primaryHome?.id == id)
        #expect(account.homes.count == 2)
    }
}
