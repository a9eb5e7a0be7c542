import Foundation
import HomeModel
import HubAPI
import Testing

@testable import HomeHub
@testable import HomeKit

/// Invitations and user management in questions, as seen by the app and by the user who answers.
struct InvitationTests {
    private static func app(_ hub: HomeHub, _ name: String, as user: UUID? = nil) async throws -> TestApp {
        let account: UUID? = if let user { await hub.account(user) } else { nil }
        let app = TestApp(on: hub, named: name, as: account)
        try await app.until("homes updated")
        return app
    }

    /// Returns a client that shows questions, of the hub's own user by default.
    private static func screen(_ hub: HomeHub, as user: UUID? = nil) async throws -> RecordingHubClient {
        let probe = try await RecordingHubClient(to: hub, as: user, app: "test.screen")
        _ = try await probe.call(HubMethods.questions, Empty())
        return probe
    }

    private static func join(_ home: UUID, _ name: String, _ role: Role = .guest, on hub: HomeHub) async throws -> UUID
    {
        let probe = try await RecordingHubClient(to: hub)
        return try await probe.call(HubMethods.addUser, AddHomeUser(home: home, name: name, role: role)).id
    }

    private static func code(_ body: () async throws -> Void) async -> HMError.Code? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? HMError)?.code
        }
    }

    /// Returns the question that a client received.
    private static func question(at screen: RecordingHubClient) async throws -> Question {
        try #require(try await screen.until { !$0.questions.isEmpty }.questions.first)
    }

    @Test func whomThePersonNamesIsInvitedAndBothSidesSeeIt() async throws {
        try await withPopulatedHub { hub, id in
            let screen = try await Self.screen(hub)
            let app = try await Self.app(hub, "test.app")
            let other = try await Self.app(hub, "test.other")
            let home = try #require(app.manager.homes.first)
            async let invited = home.addUser()
            let question = try await Self.question(at: screen)
            #expect(question.kind == .invitation)
            #expect(question.text == "Whom do you want to invite to “Villa”?")
            #expect(question.app == "test.app")
            #expect(question.fields.map(\.id) == ["name", "role"])
            let answer = AnswerQuestion(id: question.id, answer: "Ann")
            _ = try await screen.call(HubMethods.answerQuestion, answer)
            let user = try await invited
            #expect(user.name == "Ann")
            #expect(home.users == [user])
            #expect(!home.homeAccessControl(for: user).isAdministrator)
            try await other.until("added user Ann")
            #expect(app.count("added user Ann") == 0)

            let account = await hub.account(user.uniqueIdentifier, to: "test.app")
            let guest = try await Self.app(hub, "test.guest", as: account)
            #expect(guest.manager.homes.map(\.uniqueIdentifier) == [id])
            #expect(guest.manager.homes.first?.currentUser.name == "Ann")
        }
    }

    @Test func somebodyFromAnotherHomeIsTheSamePersonHere() async throws {
        try await withPopulatedHub { hub, id in
            let screen = try await Self.screen(hub)
            let cabin = try await screen.call(HubMethods.addHome, AddHome(name: "Cabin")).id
            let bob = try await Self.join(cabin, "Bob", on: hub)
            _ = try await Self.join(id, "Ann", on: hub)
            let guest = try await Self.app(hub, "test.guest", as: bob)
            let app = try await Self.app(hub, "test.app")
            let home = try #require(app.manager.homes.first { $0.name == "Villa" })
            async let invited = home.addUser()
            let question = try await Self.question(at: screen)
            // The user and members of the home are not offered.
            #expect(question.fields.last?.choices.map(\.label) == ["Nobody", "Bob"])
            let empty = AnswerQuestion(id: question.id, answers: [:])
            #expect(try await screen.refusal(HubMethods.answerQuestion, empty) == "nameEmpty")
            let answers = ["person": "Bob", "role": "administrator"]
            _ = try await screen.call(HubMethods.answerQuestion, AnswerQuestion(id: question.id, answers: answers))
            let user = try await invited
            #expect(user.name == "Bob")
            #expect(await hub.account(user.uniqueIdentifier, to: "test.app") == hub.account(bob))
            #expect(home.homeAccessControl(for: user).isAdministrator)
            try await guest.until("added home Villa")
        }
    }

    @Test func aDeclinedQuestionInvitesNobody() async throws {
        try await withPopulatedHub { hub, id in
            let screen = try await Self.screen(hub)
            let home = try #require(try await Self.app(hub, "test.app").manager.homes.first)
            async let invitation = Self.code { _ = try await home.addUser() }
            let question = try await Self.question(at: screen)
            _ = try await screen.call(HubMethods.declineQuestion, QuestionTarget(id: question.id))
            #expect(await invitation == .operationCancelled)
            async let management = Self.code { try await home.manageUsers() }
            let other = try #require(try await screen.until { $0.questions.last?.kind == .people }.questions.last)
            _ = try await screen.call(HubMethods.declineQuestion, QuestionTarget(id: other.id))
            #expect(await management == .operationCancelled)
            #expect(screen.view.homes[id]?.users.count == 1)
        }
    }

    @Test func aQuestionThatNobodyAnswersInvitesNobody() async throws {
        try await withPopulatedHub(questionTimeout: .milliseconds(20)) { hub, id in
            let app = try await Self.app(hub, "test.app")
            let home = try #require(app.manager.homes.first)
            #expect(await Self.code { _ = try await home.addUser() } == .operationCancelled)
            #expect(await Self.code { try await home.manageUsers() } == .operationCancelled)
            #expect(home.users.isEmpty)
        }
    }

    @Test func theQuestionIsForThePersonWhoseAppItIs() async throws {
        try await withPopulatedHub { hub, id in
            let ann = try await Self.join(id, "Ann", .administrator, on: hub)
            let owner = try await Self.screen(hub)
            let own = try await Self.screen(hub, as: ann)
            let app = try await Self.app(hub, "test.app", as: ann)
            let home = try #require(app.manager.homes.first)
            async let invited = home.addUser()
            let question = try await Self.question(at: own)
            #expect(owner.view.questions.isEmpty)
            let answer = AnswerQuestion(id: question.id, answer: "Bob")
            #expect(try await owner.refusal(HubMethods.answerQuestion, answer) == "notFound")
            _ = try await own.call(HubMethods.answerQuestion, answer)
            #expect(try await invited.name == "Bob")
        }
    }

    @Test func whoMayNotInviteIsAskedNothing() async throws {
        try await withPopulatedHub { hub, id in
            let ann = try await Self.join(id, "Ann", on: hub)
            let screen = try await Self.screen(hub, as: ann)
            let home = try #require(try await Self.app(hub, "test.app", as: ann).manager.homes.first)
            #expect(await Self.code { _ = try await home.addUser() } == .insufficientPrivileges)
            #expect(await Self.code { try await home.manageUsers() } == .insufficientPrivileges)
            #expect(screen.events == [.reset])
        }
    }

    @Test func whoLosesTheRightMeanwhileInvitesNobody() async throws {
        try await withPopulatedHub { hub, id in
            let ann = try await Self.join(id, "Ann", .administrator, on: hub)
            let owner = try await RecordingHubClient(to: hub)
            let screen = try await Self.screen(hub, as: ann)
            let app = try await Self.app(hub, "test.app", as: ann)
            let home = try #require(app.manager.homes.first)
            async let invitation = Self.code { _ = try await home.addUser() }
            let question = try await Self.question(at: screen)
            _ = try await owner.call(HubMethods.setRole, InHome(id, SetRole(.guest, of: ann)))
            let answer = AnswerQuestion(id: question.id, answer: "Bob")
            #expect(try await screen.refusal(HubMethods.answerQuestion, answer) == "insufficientPrivileges")
            _ = try await screen.call(HubMethods.declineQuestion, QuestionTarget(id: question.id))
            #expect(await invitation == .operationCancelled)
            #expect(owner.view.homes[id]?.users.count == 2)
        }
    }

    // MARK: Roles

    @Test func thePersonInvitesPromotesAndRemovesAndAllAppsHearOfIt() async throws {
        try await withPopulatedHub { hub, id in
            let ann = try await Self.join(id, "Ann", on: hub)
            let bob = try await Self.join(id, "Bob", on: hub)
            let screen = try await Self.screen(hub)
            let app = try await Self.app(hub, "test.app")
            let other = try await Self.app(hub, "test.other")
            let (annsApp, bobsApp) = (
                try await Self.app(hub, "test.ann", as: ann), try await Self.app(hub, "test.bob", as: bob)
            )
            let home = try #require(app.manager.homes.first)
            async let managed: Void = home.manageUsers()
            let question = try await Self.question(at: screen)
            #expect(question.kind == .people)
            #expect(question.text == "Who has access to “Villa”?")
            #expect(question.fields.map(\.label) == ["Ann", "Bob", "Invite someone, by name"])
            #expect(question.fields.map(\.suggestion) == ["guest", "guest", ""])
            let fields = question.fields.map(\.id)
            let answers = [fields[0]: "Administrator", fields[1]: "remove", "invite": "Cid"]
            _ = try await screen.call(HubMethods.answerQuestion, AnswerQuestion(id: question.id, answers: answers))
            try await managed
            // The user made the changes, so the app that asked receives them, too, before its completion.
            #expect(app.count("removed user Bob") == 1)
            #expect(app.count("added user Cid") == 1)
            #expect(home.users.map(\.name) == ["Ann", "Cid"])
            #expect(home.users.map { home.homeAccessControl(for: $0).isAdministrator } == [true, false])
            try await other.until("added user Cid")
            #expect(other.count("removed user Bob") == 1)
            try await annsApp.until("administrator of Villa: true")
            try await bobsApp.until("removed home Villa")
        }
    }

    @Test func anAnswerThatNobodyChangesChangesNothing() async throws {
        try await withPopulatedHub { hub, id in
            _ = try await Self.join(id, "Ann", on: hub)
            let screen = try await Self.screen(hub)
            let app = try await Self.app(hub, "test.app")
            let home = try #require(app.manager.homes.first)
            let seen = screen.view.seen
            async let managed: Void = home.manageUsers()
            let question = try await Self.question(at: screen)
            _ = try await screen.call(HubMethods.answerQuestion, AnswerQuestion(id: question.id))
            try await managed
            #expect(screen.view.seen == seen)
        }
    }

    @Test func anAnswerAboutSomebodyWhoHasLeftIsRefusedWhole() async throws {
        try await withPopulatedHub { hub, id in
            _ = try await Self.join(id, "Ann", on: hub)
            let bob = try await Self.join(id, "Bob", on: hub)
            let screen = try await Self.screen(hub)
            let app = try await Self.app(hub, "test.app")
            let home = try #require(app.manager.homes.first)
            async let managed: Void = home.manageUsers()
            let question = try await Self.question(at: screen)
            _ = try await RecordingHubClient(to: hub, as: bob).call(HubMethods.removeUser, InHome(id, RemoveUser(bob)))
            let fields = question.fields.map(\.id)
            var answers = [fields[0]: "administrator", fields[1]: "remove"]
            let late = AnswerQuestion(id: question.id, answers: answers)
            #expect(try await screen.refusal(HubMethods.answerQuestion, late) == "notFound")
            #expect(screen.view.homes[id]?.users.first { $0.name == "Ann" }?.role == .guest)
            answers[fields[1]] = nil
            _ = try await screen.call(HubMethods.answerQuestion, AnswerQuestion(id: question.id, answers: answers))
            try await managed
            try await screen.until { $0.homes[id]?.users.first { $0.name == "Ann" }?.role == .administrator }
        }
    }

    @Test func answersAreLookedAtTogether() async throws {
        try await withPopulatedHub { hub, id in
            _ = try await Self.join(id, "Ann", on: hub)
            let others = HomeLimits.usersPerHome - 2
            for number in 0..<others { _ = try await Self.join(id, "Guest \(number)", on: hub) }
            let screen = try await Self.screen(hub)
            let app = try await Self.app(hub, "test.app")
            let home = try #require(app.manager.homes.first)
            async let managed: Void = home.manageUsers()
            let question = try await Self.question(at: screen)
            // The home is full, so a user can only be added if another is removed.
            let alone = AnswerQuestion(id: question.id, answers: ["invite": "Bob"])
            #expect(try await screen.refusal(HubMethods.answerQuestion, alone) == "limitExceeded")
            #expect(question.fields.first?.label == "Ann")
            let answers = [try #require(question.fields.first).id: "remove", "invite": "Bob"]
            _ = try await screen.call(HubMethods.answerQuestion, AnswerQuestion(id: question.id, answers: answers))
            try await managed
            #expect(home.users.count == others + 1)
            #expect(home.users.contains { $0.name == "Bob" })
        }
    }

    @Test func requestsThatBelongTogetherAreDecidedAllOrNone() async throws {
        try await withDataFolder { folder in
            let database = try await HomeDatabase.loaded(from: folder)
            let owner = Caller(user: HomeDatabase.testOwner.id, device: UUID(), app: "test", client: UUID())
            let home = UUID()
            try await database.submit(.addHome(id: home, name: "Villa"), by: owner, cause: .app).committed()
            let known = try await database.home(home, for: owner.user)
            let room = AddRoom(id: UUID(), name: "Kitchen")
            let twin = AddRoom(id: UUID(), name: "KITCHEN")
            let refusal = await #expect(throws: HubError.self) {
                try await database.submit([room, twin], in: home, by: owner, cause: .person)
            }
            #expect(refusal?.code.rawValue == "nameTaken")
            #expect(try await database.home(home, for: owner.user) == known)
            for change in try await database.submit([room], in: home, by: owner, cause: .person) {
                try await change.committed()
            }
            #expect(try await database.home(home, for: owner.user).rooms.map(\.name) == ["Kitchen"])
            #expect(await database.stored.homes[home]?.rooms.count == 1)
        }
    }
}
