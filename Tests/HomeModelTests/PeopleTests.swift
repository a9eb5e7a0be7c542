import Foundation
import HomeModel
import Testing

@Suite struct PeopleTests {
    @Test func aPersonJoinsAsGuestOrAdministratorGetsAnotherRoleAndLeaves() throws {
        var test = TestHome()
        let id = UUID()
        let addition = try test.ask(AddUser(id: id, name: "J. Smith @home", role: .guest))
        #expect(addition?.verb == .userAdded)
        #expect(addition?.subjects == [id])
        #expect(test.home.users[id: id] == UserRecord(id: id, name: "J. Smith @home", role: .guest))
        let change = try test.ask(SetRole(.administrator, of: id))
        #expect(change?.verb == .userRoleChanged)
        #expect(test.home.role(of: id) == .administrator)
        #expect(try test.ask(SetRole(.administrator, of: id)) == nil)
        let removal = try test.ask(RemoveUser(id))
        #expect(removal?.verb == .userRemoved)
        #expect(removal?.subjects == [id])
        #expect(test.home.role(of: id) == nil)
    }

    @Test func theOwnerStaysTheOwnerAndTheOnlyOne() throws {
        let test = TestHome()
        for caller in [test.owner, test.administrator] {
            #expect(test.refusal(of: RemoveUser(test.owner.user), by: caller) == .ownerFixed)
            #expect(test.refusal(of: SetRole(.guest, of: test.owner.user), by: caller) == .ownerFixed)
            #expect(test.refusal(of: SetRole(.owner, of: test.guest.user), by: caller) == .ownerFixed)
            #expect(test.refusal(of: AddUser(id: UUID(), name: "Eve", role: .owner), by: caller) == .ownerFixed)
        }
    }

    @Test func guestsUseTheHomeFromAwayOnlyIfSomebodyAllowsIt() throws {
        var test = TestHome()
        let (guest, administrator) = (test.guest.user, test.administrator.user)
        func mayBeAway(_ id: UUID) -> Bool? { test.home.users[id: id]?.mayBeAway }
        #expect(mayBeAway(guest) == false && mayBeAway(administrator) == true && mayBeAway(test.owner.user) == true)
        #expect(try test.ask(SetMayBeAway(false, of: guest)) == nil)
        let change = try test.ask(SetMayBeAway(true, of: guest))
        #expect(change?.verb == .userAwayChanged && change?.subjects == [guest] && mayBeAway(guest) == true)
        // The choice stays with another role, and is stored.
        try test.ask(SetMayBeAway(false, of: administrator))
        try test.ask(SetRole(.guest, of: administrator))
        try test.ask(SetRole(.administrator, of: administrator))
        #expect(mayBeAway(administrator) == false)
        let record = try #require(test.home.users[id: administrator])
        #expect(try JSONDecoder().decode(UserRecord.self, from: JSONEncoder().encode(record)) == record)
        // Administrators decide for guests only, guests for nobody, and nobody for the owner.
        #expect(
            test.refusal(of: SetMayBeAway(true, of: administrator), by: test.administrator) == .insufficientPrivileges
        )
        #expect(test.refusal(of: SetMayBeAway(false, of: guest), by: test.guest) == .insufficientPrivileges)
        #expect(test.refusal(of: SetMayBeAway(false, of: test.owner.user), by: test.owner) == .ownerFixed)
        #expect(test.refusal(of: SetMayBeAway(true, of: UUID()), by: test.owner) == .notFound)
    }

    @Test func afterARestorationEverybodyButTheOwnerIsSuspendedUntilTheOwnerConfirmsThem() throws {
        var test = TestHome()
        let restoration = Change.restoration(of: test.home.records)
        #expect(restoration.verb == .restored)
        #expect(Set(restoration.subjects) == [test.administrator.user, test.guest.user])
        test.home.apply(restoration)
        #expect(test.home.activeRole(of: test.owner.user) == .owner)
        for caller in [test.administrator, test.guest] {
            // They are listed with their roles but have no access: they can't even leave or confirm themselves.
            #expect(test.home.role(of: caller.user) != nil)
            #expect(test.home.activeRole(of: caller.user) == nil)
            #expect(test.refusal(of: AddRoom(id: UUID(), name: "Attic"), by: caller) == .insufficientPrivileges)
            #expect(test.refusal(of: RemoveUser(caller.user), by: caller) == .insufficientPrivileges)
            #expect(test.refusal(of: ConfirmUser(caller.user), by: caller) == .insufficientPrivileges)
        }
        // Changing a role doesn't confirm a user, and a second restore suspends no user twice.
        try test.ask(SetRole(.administrator, of: test.guest.user))
        #expect(test.home.activeRole(of: test.guest.user) == nil)
        #expect(Change.restoration(of: test.home.records).effects.isEmpty)

        let confirmation = try test.ask(ConfirmUser(test.administrator.user))
        #expect(confirmation?.verb == .userConfirmed)
        #expect(confirmation?.subjects == [test.administrator.user])
        #expect(test.home.activeRole(of: test.administrator.user) == .administrator)
        #expect(try test.ask(ConfirmUser(test.administrator.user)) == nil)
        // A confirmed administrator can't confirm users, because only the owner knows who was removed.
        #expect(
            test.refusal(of: ConfirmUser(test.guest.user), by: test.administrator) == .insufficientPrivileges
        )
        #expect(test.refusal(of: ConfirmUser(UUID())) == .notFound)
        #expect(test.refusal(of: ConfirmUser(test.owner.user)) == .ownerFixed)
    }

    @Test func aRestorationTakesBackWhatAppsWereAllowedAndNotWhatTheyWereDenied() throws {
        var account = Account(user: UUID())
        for (id, isAllowed) in [("allowed", true), ("denied", false)] {
            let change = try account.decide(.decideApp(id, purpose: "Why", isAllowed: isAllowed))
            account.apply(try #require(change))
        }
        account.apply(Change.restoration(of: account.records))
        #expect(account.apps.map(\.id) == ["denied"])
    }

    @Test func onlyRolesThatAreKnownAreGiven() {
        let test = TestHome()
        let role = Role(rawValue: "resident")
        #expect(test.refusal(of: AddUser(id: UUID(), name: "Eve", role: role)) == .invalidParameter)
        #expect(test.refusal(of: SetRole(role, of: test.guest.user)) == .invalidParameter)
    }

    @Test func aPersonMayLeaveAndRemoveNobodyElse() throws {
        var test = TestHome()
        #expect(test.refusal(of: RemoveUser(test.administrator.user), by: test.guest) == .insufficientPrivileges)
        #expect(test.refusal(of: RemoveUser(UUID()), by: test.guest) == .insufficientPrivileges)
        #expect(test.refusal(of: RemoveUser(test.nonMember.user), by: test.nonMember) == .insufficientPrivileges)
        for caller in [test.guest, test.administrator] {
            let change = try #require(try test.home.decide(RemoveUser(caller.user), by: caller, at: TestHome.time))
            test.home.apply(change)
            #expect(test.home.role(of: caller.user) == nil)
        }
        #expect(test.home.users.map(\.id) == [test.owner.user])
    }

    @Test func aPersonNeedsANameAndALongOneIsCut() throws {
        var test = TestHome()
        #expect(test.refusal(of: AddUser(id: UUID(), name: "", role: .guest)) == .nameEmpty)
        let id = UUID()
        try test.ask(AddUser(id: id, name: String(repeating: "a", count: 500_000), role: .guest))
        #expect(test.home.users[id: id]?.name == String(repeating: "a", count: HomeLimits.nameLength))
    }

    @Test func unknownPeopleAreNotFound() {
        let test = TestHome()
        #expect(test.refusal(of: RemoveUser(UUID())) == .notFound)
        #expect(test.refusal(of: SetRole(.guest, of: UUID())) == .notFound)
    }

    @Test func aHomeHasItsLimitOfPeopleAndNotOneMore() throws {
        var test = TestHome()
        for number in test.home.users.count..<HomeLimits.usersPerHome {
            try test.ask(AddUser(id: UUID(), name: "Person \(number)", role: .guest))
        }
        #expect(test.refusal(of: AddUser(id: UUID(), name: "Person", role: .guest)) == .limitExceeded)
    }
}
