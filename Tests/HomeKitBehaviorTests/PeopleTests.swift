import HomeKitTesting
@testable import KilgoApp
import Testing

/// A home's members, as a vendor's app shows them on the devices of several people.
@MainActor
struct PeopleTests {
    /// The vendor's list of members on a device.
    private static func members(on app: TestApp) async throws -> MemberList {
        MemberList(store: app.run { HomeStore() }, home: try await app.home())
    }

    @Test func theSheetInvitesPromotesAndRemovesAndEveryDeviceShowsIt() async throws {
        try await withTestHome { home in
            let ann = try await home.person("Ann", role: .administrator)
            let laptop = try await home.device(of: home.owner, named: "Laptop")
            let phone = try await home.device(of: ann, named: "Phone")
            let owners = try await Self.members(on: laptop.app("Kilgo"))
            let anns = try await Self.members(on: phone.app("Kilgo"))
            let recorder = DelegateRecorder()
            anns.store.addHomeDelegate(recorder)
            #expect(owners.rows == ["Owner (Administrator)", "Ann (Administrator)"])
            #expect(anns.rows == ["Ann (Administrator)", "Owner (Administrator)"])

            home.peopleAnswer = .invite("Ben")
            await withCheckedContinuation { done in owners.manageMembers { done.resume() } }
            #expect(owners.failure == nil)
            #expect(owners.rows.last == "Ben (Guest)")
            try await home.until("the phone shows Ben", is: "Ben (Guest)") { anns.rows.last }

            home.peopleAnswer = .setRole(.guest, of: "Ann")
            await withCheckedContinuation { done in owners.manageMembers { done.resume() } }
            try await home.until("Ann is a guest", is: "Ann (Guest)") { anns.rows.first }

            home.peopleAnswer = .remove("Ben")
            await withCheckedContinuation { done in owners.manageMembers { done.resume() } }
            #expect(owners.rows == ["Owner (Administrator)", "Ann (Guest)"])
            try await home.until("the phone no longer shows Ben", is: ["Ann (Guest)", "Owner (Administrator)"]) {
                anns.rows
            }
            #expect(recorder.notes == ["added user Ben", "now a guest", "removed user Ben"])
        }
    }

    @Test func aGuestsSheetIsRefusedAndACancelledOneChangesNothing() async throws {
        try await withTestHome { home in
            let ann = try await home.person("Ann", role: .guest)
            let guests = try await Self.members(on: home.device(of: ann).app("Kilgo"))
            await withCheckedContinuation { done in guests.manageMembers { done.resume() } }
            #expect(guests.failure == .insufficientPrivileges)
            let owners = try await Self.members(on: home.device(of: home.owner).app("Kilgo"))
            home.peopleAnswer = .none
            await withCheckedContinuation { done in owners.manageMembers { done.resume() } }
            #expect(owners.failure == .operationCancelled)
            #expect(owners.rows == ["Owner (Administrator)", "Ann (Guest)"])
        }
    }

    @Test func callbacksComeInTheSameOrderOnADeviceThatWasCutOff() async throws {
        try await withTestHome { home in
            _ = try await home.add(.lamp("Desk"))
            let devices = [try await home.device(of: home.owner), try await home.device(of: home.owner)]
            let recorders = [DelegateRecorder(), DelegateRecorder()]
            for (device, recorder) in zip(devices, recorders) {
                recorder.observe(try await device.app("A").home())
            }
            let own = try await home.app("A").home()
            try await home.cutOff(devices[1])
            home.peopleAnswer = .invite("Ben")
            try await own.manageUsers()
            _ = try await own.addRoom(named: "Attic")
            home.peopleAnswer = .remove("Ben")
            try await own.manageUsers()
            try await home.reconnect(devices[1])
            let changes = ["added user Ben", "added room Attic to 1", "removed user Ben"]
            try await home.until("the first device is told", is: changes) { recorders[0].notes }
            try await home.until("the second device is told", is: changes) {
                recorders[1].notes.filter(changes.contains)
            }
            #expect(recorders[1].notes.first { $0.hasPrefix("hub") } == "hub disconnected")
            #expect(recorders[1].count("hub connected") == 1)
        }
    }

    @Test func anAppAsksWhomToInviteAndTheUserIsThereAtOnce() async throws {
        try await withTestHome { home in
            let own = try await home.app("A").home()
            home.peopleAnswer = .invite("Ann", role: .administrator)
            let user = try await own.addUser()
            #expect(user.name == "Ann")
            #expect(own.users == [user])
            #expect(own.homeAccessControl(for: user).isAdministrator)
            home.peopleAnswer = .setRole(.guest, of: "Ann")
            try await own.manageUsers()
            #expect(!own.homeAccessControl(for: user).isAdministrator)
        }
    }

    @Test(arguments: [TestHome.PeopleAnswer.none, .remove("Nobody"), .setRole(.guest, of: "Nobody")])
    func anAnswerThatDoesNotFitCancels(_ answer: TestHome.PeopleAnswer) async throws {
        try await withTestHome { home in
            let own = try await home.app("A").home()
            home.peopleAnswer = answer
            let refusal = await #expect(throws: HMError.self) { try await own.addUser() }
            #expect(refusal?.code == .operationCancelled)
            #expect(own.users.isEmpty)
        }
    }
}
