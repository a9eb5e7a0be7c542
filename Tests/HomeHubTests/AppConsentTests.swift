import DNSSD
import Foundation
import HomeHub
import HomeModel
import HubAPI
import Logging
import class HomeKitTesting.ManualClock
import PeerProcess
import Testing

@testable import HomeKit

/// The user's consent to apps, as seen by the apps and by the user who decides.
struct AppConsentTests {
    /// Runs `body` with a hub that asks about apps.
    private static func withAskingHub(
        clock: any Clock<Duration> = ContinuousClock(),
        _ body: (HomeHub) async throws -> Void
    ) async throws {
        try await withDataFolder { folder in
            let hub = try await HomeHub(
                HubConfiguration(
                    data: folder.appending(path: "hub"),
                    interfaces: [.loopback],
                    asksAboutApps: true,
                    clock: clock,
                    log: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
                )
            )
            do {
                try await body(hub)
                await hub.stop()
            } catch {
                await hub.stop()
                throw error
            }
        }
    }

    /// Returns the error with which the hub rejects an introduction; `nil` if it admits the app.
    private static func refusal(of hello: Hello, by hub: HomeHub) async throws -> HubError? {
        let connection = HubConnection(over: InProcessTransport(to: hub, as: .person(on: hub))) { _ in
        } onClose: { _ in
        }
        defer { connection.close() }
        do throws(HubError) {
            _ = try await connection.call(HubMethods.hello, hello)
            return nil
        } catch {
            return error
        }
    }

    @Test func anAppWithoutAPurposeIsRefusedAndToldWhatToDo() async throws {
        try await withHub { hub in
            for purpose in ["", " ", "\n\t"] {
                let error = try await Self.refusal(of: Hello(app: "com.example.app", purpose: purpose), by: hub)
                #expect(error?.code == .purposeMissing)
                #expect(error?.reason.contains("NSHomeKitUsageDescription") == true)
            }
            #expect(try await Self.refusal(of: Hello(app: "com.example.app", purpose: "Tests."), by: hub) == nil)
            #expect(try await Self.refusal(of: Hello(app: "hearth.page", purpose: ""), by: hub) == nil)
        }
    }

    @Test func anIdentifierIsReadableAndHasALimit() async throws {
        try await withHub { hub in
            let longest = String(repeating: "a", count: 256)
            #expect(try await Self.refusal(of: Hello(app: longest, purpose: "Tests."), by: hub) == nil)
            for app in ["", longest + "a", "com.example\u{1B}[2J", "com.\nexample"] {
                let error = try await Self.refusal(of: Hello(app: app, purpose: "Tests."), by: hub)
                #expect(error?.code == .appNotAllowed, "\(app)")
            }
        }
    }

    @Test func anAppThatIsDeniedSeesNoHomesAndAllowedItSeesThemAgain() async throws {
        try await withHub { hub in
            let person = try await RecordingHubClient(to: hub, app: "hearth")
            let id = try await person.call(HubMethods.addHome, AddHome(name: "My Home")).id
            let app = TestApp(on: hub, named: "com.example.app")
            try await app.until("homes updated")
            #expect(app.manager.authorizationStatus == [.determined, .authorized])
            let home = try #require(app.manager.homes.first)
            let room = try await home.addRoom(named: "Kitchen")
            let other = TestApp(on: hub, named: "com.example.other")
            try await other.until("homes updated")

            let target = AppTarget(id: "com.example.app")
            _ = try await person.call(HubMethods.denyApp, target)
            try await app.until("status 1")
            try await app.messages.until { $0.last == "homes updated" && $0.contains("status 1") }
            #expect(app.manager.homes.isEmpty)
            #expect(app.manager.authorizationStatus == .determined)
            #expect(await code { try await room.updateName("Cuisine") } == .homeAccessNotAuthorized)
            #expect(await code { try await home.updateName("Castle") } == .homeAccessNotAuthorized)
            #expect(await code { _ = try await home.addRoom(named: "Bath") } == .homeAccessNotAuthorized)
            #expect(await code { _ = try await app.manager.addHome(named: "Cabin") } == .homeAccessNotAuthorized)
            let environment = HomeKitEnvironment(app: "com.example.app", purpose: "Tests.", queue: .global()) {
                InProcessTransport(to: hub, as: .person(on: hub))
            }
            let late = HomeKitEnvironment.$current.withValue(environment) { HMHomeManager() }
            _ = try await person.call(HubMethods.addRoom, InHome(id, AddRoom(name: "Attic")))
            try await other.until("added room Attic")
            #expect(!app.messages.value.contains("added room Attic"))
            #expect(late.homes.isEmpty)
            #expect(other.manager.homes.count == 1)

            _ = try await person.call(HubMethods.allowApp, target)
            try await app.messages.until { $0.suffix(2) == ["status 5", "homes updated"] }
            #expect(app.manager.homes.map(\.name) == ["My Home"])
            #expect(app.manager.homes.first?.rooms.map(\.name) == ["Kitchen", "Attic"])
            #expect(app.manager.homes.first?.uniqueIdentifier == home.uniqueIdentifier)
            _ = try await app.manager.addHome(named: "Cabin")
        }
    }

    @Test func aDeniedAppHearsOfNoValuesAndItsSearchEnds() async throws {
        try await withDataFolder { folder in
            try await withHub(at: folder) { hub in
                let name = SimulatedAccessories.newName("Lamp")
                try await SimulatedAccessories.with([SimulatedAccessories.lamp(name)], in: folder) { _ in
                    let person = try await RecordingHubClient(to: hub, app: "hearth")
                    let app = TestApp(on: hub, named: "com.example.app")
                    try await app.until("homes updated")
                    app.browser.startSearchingForNewAccessories()
                    let lamp = try await app.found(name)
                    _ = try await person.call(HubMethods.denyApp, AppTarget(id: "com.example.app"))
                    try await app.until("lost \(name)")
                    #expect(app.browser.discoveredAccessories.isEmpty)
                    try await app.until("status 1")
                    #expect(await code { try await lamp.identify() } == .homeAccessNotAuthorized)
                }
            }
        }
    }

    @Test func thePersonIsAskedOnceAboutANewAppAndTheAnswerIsKept() async throws {
        try await Self.withAskingHub { hub in
            let person = try await QuestionResponder(on: hub, app: "hearth.page") { question in
                [question.fields[0].id: question.app == "com.example.good" ? "allow" : "Don’t Allow"]
            }
            let good = TestApp(on: hub, named: "com.example.good")
            try await good.until("homes updated")
            #expect(good.manager.authorizationStatus == [.determined, .authorized])
            let bad = TestApp(on: hub, named: "com.example.bad")
            try await bad.until("status 1")
            #expect(bad.count("homes updated") == 0)
            let again = TestApp(on: hub, named: "com.example.good")
            try await again.until("homes updated")
            #expect(person.asked.value.map(\.app) == ["com.example.good", "com.example.bad"])
            #expect(person.asked.value.map(\.kind) == [.app, .app])
            #expect(person.asked.value.first?.text.contains("Tests.") == true)

            let probe = try await RecordingHubClient(to: hub, app: "hearth")
            let apps = try await probe.call(HubMethods.apps, Empty()).apps
            #expect(apps.map(\.id) == ["com.example.good", "com.example.bad"])
            #expect(apps.map(\.isAllowed) == [true, false])
            #expect(apps.map(\.isConnected) == [true, false])
            #expect(apps.map(\.purpose) == ["Tests.", "Tests."])
        }
    }

    @Test func untilItIsDecidedAnAppKnowsNothing() async throws {
        try await Self.withAskingHub { hub in
            let person = try await RecordingHubClient(to: hub, app: "hearth")
            _ = try await person.call(HubMethods.addHome, AddHome(name: "My Home"))
            _ = try await person.call(HubMethods.questions, Empty())
            let app = TestApp(on: hub, named: "com.example.app")
            async let home = app.manager.addHome(named: "Cabin")
            let question = try await person.until { !$0.questions.isEmpty }.questions[0]
            #expect(app.manager.authorizationStatus.isEmpty)
            #expect(app.manager.homes.isEmpty)
            #expect(app.messages.value.isEmpty)
            // Its calls wait for the decision, too.
            #expect(person.view.homes.count == 1)
            _ = try await person.call(HubMethods.answerQuestion, AnswerQuestion(id: question.id, answer: "Allow"))
            _ = try await home
            try await app.until("homes updated")
            #expect(app.manager.homes.count == 2)
        }
    }

    @Test func aDecisionByOtherMeansEndsTheQuestion() async throws {
        try await Self.withAskingHub { hub in
            let person = try await RecordingHubClient(to: hub, app: "hearth")
            _ = try await person.call(HubMethods.questions, Empty())
            let (one, two) = (TestApp(on: hub, named: "com.example.one"), TestApp(on: hub, named: "com.example.two"))
            try await person.until { $0.questions.count == 2 }
            _ = try await person.call(HubMethods.allowApp, AppTarget(id: "com.example.one"))
            _ = try await person.call(HubMethods.denyApp, AppTarget(id: "com.example.two"))
            try await one.until("homes updated")
            try await two.until("status 1")
            try await person.until { $0.questions.isEmpty }
        }
    }

    @Test func everyPersonDecidesForThemselves() async throws {
        try await Self.withAskingHub { hub in
            let owner = try await RecordingHubClient(to: hub, app: "hearth")
            let home = try await owner.call(HubMethods.addHome, AddHome(name: "My Home")).id
            let added = try await owner.call(HubMethods.addUser, AddHomeUser(home: home, name: "Ann", role: .guest)).id
            let user = await hub.account(added, to: "hearth")
            let ann = try await RecordingHubClient(to: hub, as: user, app: "hearth")
            _ = try await ann.call(HubMethods.questions, Empty())
            let app = TestApp(on: hub, named: "com.example.app", as: user)
            let question = try await ann.until { !$0.questions.isEmpty }.questions[0]
            _ = try await owner.call(HubMethods.allowApp, AppTarget(id: "com.example.app"))
            _ = try await ann.call(HubMethods.answerQuestion, AnswerQuestion(id: question.id, answer: "deny"))
            try await app.until("status 1")
        }
    }

    @Test func whoDeclinesTheQuestionIsNotAskedAgainAndMayAllowTheAppLater() async throws {
        try await Self.withAskingHub { hub in
            let person = try await QuestionResponder(on: hub, app: "hearth.page") { _ in nil }
            let app = TestApp(on: hub, named: "com.example.app")
            try await app.until("status 1")
            for _ in 0..<3 {
                let error = try await Self.refusal(of: Hello(app: "com.example.app", purpose: "Tests."), by: hub)
                #expect(error?.code == .appNotAllowed)
            }
            #expect(person.asked.value.count == 1)
            let probe = try await RecordingHubClient(to: hub, app: "hearth")
            _ = try await probe.call(HubMethods.allowApp, AppTarget(id: "com.example.app"))
            try await app.until("homes updated")
            // Once forgotten, the app counts as new.
            _ = try await probe.call(HubMethods.forgetApp, AppTarget(id: "com.example.app"))
            _ = try await Self.refusal(of: Hello(app: "com.example.app", purpose: "Tests."), by: hub)
            #expect(person.asked.value.count == 2)
        }
    }

    @Test func oneQuestionIsForAllConnectionsOfAnApp() async throws {
        try await Self.withAskingHub { hub in
            let person = try await RecordingHubClient(to: hub, app: "hearth")
            _ = try await person.call(HubMethods.questions, Empty())
            let first = TestApp(on: hub, named: "com.example.app")
            let question = try await person.until { !$0.questions.isEmpty }.questions[0]
            let second = TestApp(on: hub, named: "com.example.app")
            // When the later question arrives, an earlier one would have arrived, too.
            let marker = TestApp(on: hub, named: "com.example.marker")
            let open = try await person.until { $0.questions.contains { $0.app == "com.example.marker" } }.questions
            #expect(open.map(\.app) == ["com.example.app", "com.example.marker"])
            _ = try await person.call(HubMethods.answerQuestion, AnswerQuestion(id: question.id, answer: "allow"))
            try await first.until("homes updated")
            try await second.until("homes updated")
            #expect(person.view.questions.map(\.app) == ["com.example.marker"])
            #expect(marker.messages.value.isEmpty)
        }
    }

    @Test func anAppAboutWhichNobodyDecidesIsAskedAboutAgain() async throws {
        let clock = ManualClock()
        try await Self.withAskingHub(clock: clock) { hub in
            let person = try await RecordingHubClient(to: hub, app: "hearth")
            _ = try await person.call(HubMethods.questions, Empty())
            let app = TestApp(on: hub, named: "com.example.app")
            let first = try await person.until { !$0.questions.isEmpty }.questions[0]
            // The question's time has begun, as has that until the next daily copy.
            await clock.waitForSleepers(2)
            clock.move(by: .seconds(120))
            let second = try await person.until { $0.questions.contains { $0.id != first.id } }.questions[0]
            #expect(app.manager.authorizationStatus.isEmpty)
            _ = try await person.call(HubMethods.answerQuestion, AnswerQuestion(id: second.id, answer: "allow"))
            try await app.until("homes updated")
        }
    }

    @Test func theHubsOwnAppsAreNeitherAskedAboutNorDenied() async throws {
        try await Self.withAskingHub { hub in
            let person = try await RecordingHubClient(to: hub, app: "hearth")
            for id in ["hearth", "hearth.page"] {
                #expect(try await person.refusal(HubMethods.denyApp, AppTarget(id: id)) == "invalidParameter")
            }
            for id in ["", String(repeating: "a", count: 257)] {
                #expect(try await person.refusal(HubMethods.allowApp, AppTarget(id: id)) == "invalidParameter")
            }
            #expect(try await person.refusal(HubMethods.forgetApp, AppTarget(id: "com.example")) == "notFound")
            #expect(try await person.call(HubMethods.apps, Empty()).apps.isEmpty)
            _ = try await person.call(HubMethods.allowApp, AppTarget(id: "com.example"))
            #expect(try await Self.refusal(of: Hello(app: "com.example", purpose: "Tests."), by: hub) == nil)
            _ = try await person.call(HubMethods.forgetApp, AppTarget(id: "com.example"))
            #expect(try await person.call(HubMethods.apps, Empty()).apps.isEmpty)
        }
    }

    @Test func decisionsSurviveARestart() async throws {
        try await withDataFolder { folder in
            try await withHub(at: folder) { hub in
                let person = try await RecordingHubClient(to: hub, app: "hearth")
                _ = try await person.call(HubMethods.denyApp, AppTarget(id: "com.example"))
            }
            try await withHub(at: folder) { hub in
                let error = try await Self.refusal(of: Hello(app: "com.example", purpose: "Tests."), by: hub)
                #expect(error?.code == .appNotAllowed)
            }
        }
    }
}
