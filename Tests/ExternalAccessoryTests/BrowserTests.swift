import ExternalAccessory
import Foundation
import HomeHub
import HubAPI
import PeerProcess
import Testing

/// Apple's browser, on a hub in this process.
struct BrowserTests {
    /// Answers the next question of the hub, or declines it if there are no answers.
    private func answer(_ client: OnboardingClient, _ answers: [String: String]?) async throws {
        let question = try await client.question()
        if let answers {
            _ = try await client.call(HubMethods.answerQuestion, AnswerQuestion(id: question.id, answers: answers))
        } else {
            _ = try await client.call(HubMethods.declineQuestion, QuestionTarget(id: question.id))
        }
    }

    private static func network(_ passphrase: String = OnboardingFixture.passphrase) -> [String: String] {
        ["network": OnboardingFixture.network, "passphrase": passphrase]
    }

    @Test func anAccessoryIsFoundAndConfigured() async throws {
        try await OnboardingFixture.with { fixture in
            try await fixture.withLamp { _ in
                let person = try await fixture.client()
                _ = try await person.call(HubMethods.questions, Empty())
                let app = BrowserRecorder(on: fixture.hub)
                app.browser.startSearchingForUnconfiguredAccessories(matching: nil)
                try await app.until("searching")
                let lamp = try #require(app.browser.unconfiguredAccessories.first)
                #expect(lamp.name == "Lamp" && lamp.manufacturer == "Maker" && lamp.ssid == "Lamp Setup")
                #expect(lamp.properties == .supportsHomeKit && lamp.macAddress.count == 17)
                app.browser.configureAccessory(lamp, withConfigurationUIOn: app)
                try await answer(person, Self.network())
                try await app.until("stopped")
                #expect(
                    app.calls == [
                        "found Lamp", "searching", "configuring", "removed Lamp", "Lamp success", "stopped",
                    ]
                )
                #expect(app.browser.unconfiguredAccessories.isEmpty)
            }
        }
    }

    @Test func aWrongPassphraseFailsAndARefusalCancels() async throws {
        try await OnboardingFixture.with { fixture in
            try await fixture.withLamp { _ in
                let person = try await fixture.client()
                _ = try await person.call(HubMethods.questions, Empty())
                let app = BrowserRecorder(on: fixture.hub)
                app.browser.startSearchingForUnconfiguredAccessories(matching: nil)
                try await app.until("found Lamp")
                let lamp = try #require(app.browser.unconfiguredAccessories.first)
                app.browser.configureAccessory(lamp, withConfigurationUIOn: app)
                try await answer(person, Self.network("wrong horse"))
                try await app.until("Lamp failed")
                _ = try await person.find()
                app.browser.configureAccessory(lamp, withConfigurationUIOn: app)
                try await answer(person, nil)
                try await app.until("Lamp userCancelledConfiguration")
            }
        }
    }

    @Test func onlyAccessoriesThatMatchThePredicateAreFound() async throws {
        try await OnboardingFixture.with { fixture in
            try await fixture.withLamp { _ in
                let app = BrowserRecorder(on: fixture.hub)
                let isFan = NSPredicate { accessory, _ in
                    (accessory as? EAWiFiUnconfiguredAccessory)?.name == "Fan"
                }
                app.browser.startSearchingForUnconfiguredAccessories(matching: isFan)
                try await app.until("searching")
                #expect(app.calls == ["searching"] && app.browser.unconfiguredAccessories.isEmpty)
            }
        }
    }

    @Test func aSearchFindsAndLosesAccessoriesUntilItIsStopped() async throws {
        try await OnboardingFixture.with { fixture in
            let app = BrowserRecorder(on: fixture.hub)
            app.browser.startSearchingForUnconfiguredAccessories(matching: nil)
            try await app.until("searching")
            try await fixture.withLamp { _ in try await app.until("found Lamp") }
            try await app.until("removed Lamp")
            app.browser.stopSearchingForUnconfiguredAccessories()
            try await app.until("stopped")
            let person = try await fixture.client()
            try await fixture.withLamp { _ in
                _ = try await person.find()
                #expect(app.calls == ["searching", "found Lamp", "removed Lamp", "stopped"])
            }
        }
    }

    @Test func withoutASetupInterfaceWiFiIsUnavailable() async throws {
        try await OnboardingFixture.with(hasSetupInterface: false) { fixture in
            let app = BrowserRecorder(on: fixture.hub)
            app.browser.startSearchingForUnconfiguredAccessories(matching: nil)
            try await app.until("wiFiUnavailable")
        }
    }

    @Test func forAnAppWithoutPermissionWiFiIsUnavailable() async throws {
        try await OnboardingFixture.with(asksAboutApps: true) { fixture in
            try await fixture.withLamp { _ in
                // The hub doesn't ask about its own programs.
                let person = try await fixture.client(app: HubProtocol.commandLineApp)
                _ = try await person.call(HubMethods.questions, Empty())
                let app = BrowserRecorder(on: fixture.hub)
                app.browser.startSearchingForUnconfiguredAccessories(matching: nil)
                let question = try await person.question()
                #expect(question.kind == .app)
                let deny = try #require(question.fields.first?.choices.last?.value)
                _ = try await person.call(
                    HubMethods.answerQuestion,
                    AnswerQuestion(id: question.id, answers: ["decision": deny])
                )
                try await app.until("wiFiUnavailable")
                #expect(app.calls == ["wiFiUnavailable"] && app.browser.unconfiguredAccessories.isEmpty)
            }
        }
    }
}
