import AccessorySimulator
import Foundation
import HAP
import HAPCatalog
import HomeModel
import HomeText
import HubAPI
import Testing

@testable import HomeHub

/// Sentences that are said to the hub: what reaches the accessories, what is asked, and what the journal says.
struct VoiceTests {
    struct Fixture: Sendable {
        let hub: HomeHub
        let client: RecordingHubClient
        let home: UUID
        let accessories: [UUID]
        let simulator: Simulator

        func say(_ text: String, isDryRun: Bool? = nil, by speaker: RecordingHubClient? = nil) async throws -> Said {
            try await (speaker ?? client).call(HubMethods.say, Say(text, language: "en", isDryRun: isDryRun))
        }

        /// The value of a characteristic that the hub knows.
        func value(of type: HAPType, _ index: Int) throws -> CharacteristicValue? {
            let home = try #require(client.view.homes[home])
            let record = try #require(home.accessories[id: accessories[index]])
            let shape = try #require(home.services(of: record).flatMap(\.characteristics).first { $0.type == type })
            return hub.live.value(of: CharacteristicReference(accessory: record.id, iid: shape.iid), in: self.home)
        }
    }

    private static let bridge = """
        {"format": 1, "name": "BRIDGE", "serialNumber": "SERIAL", "services": [], "accessories": [
          {"name": "Desk Lamp", "serialNumber": "D-1", "services": [
            {"type": "Lightbulb", "characteristics": {"On": false, "Brightness": 40}}]},
          {"name": "Floor Lamp", "serialNumber": "F-1", "services": [
            {"type": "Lightbulb", "characteristics": {"On": false, "Brightness": 40}}]},
          {"name": "Front Door", "serialNumber": "L-1", "services": [
            {"type": "LockMechanism", "characteristics": {"LockTargetState": 1, "LockCurrentState": 1}}]},
          {"name": "Back Door", "serialNumber": "B-1", "services": [
            {"type": "LockMechanism", "characteristics": {"LockTargetState": 1, "LockCurrentState": 1}}]},
          {"name": "Heater", "serialNumber": "H-1", "services": [
            {"type": "Thermostat", "characteristics": {"TargetTemperature": 18, "TargetHeatingCoolingState": 1,
             "TemperatureDisplayUnits": 1}}]}]}
        """

    static func withHome(_ body: (Fixture) async throws -> Void) async throws {
        try await withDataFolder { folder in
            let text = bridge.replacing("BRIDGE", with: SimulatedAccessories.newName("Bridge"))
                .replacing("SERIAL", with: UUID().uuidString)
            try await SimulatedAccessories.with([text], in: folder) { accessories in
                try await withHub(at: folder) { hub in
                    let client = try await RecordingHubClient(to: hub, app: "hearth")
                    let home = try await client.call(HubMethods.addHome, AddHome(name: "Villa")).id
                    let bridge = try #require(accessories.ready.first)
                    let addition = AddAccessory(
                        home: home,
                        deviceID: bridge.deviceID.description,
                        code: bridge.setupCode.dashed
                    )
                    let added = Array(try await client.call(HubMethods.addAccessory, addition).ids.dropFirst())
                    try await client.until { view in added.allSatisfy { view.reachability[$0]?.isReachable == true } }
                    try await body(
                        Fixture(
                            hub: hub,
                            client: client,
                            home: home,
                            accessories: added,
                            simulator: accessories.simulator
                        )
                    )
                }
            }
        }
    }

    @Test func aBareTemperatureIsInTheUnitThatThermostatsShow() async throws {
        try await Self.withHome { fixture in
            #expect(try await fixture.say("set the heater to 68").outcome == .done)
            let target = try fixture.value(of: HAPType.Characteristic.targetTemperature, 4)
            #expect(target == .double(20))
        }
    }

    @Test func whatIsKeptBetweenSentencesFollowsTheHome() async throws {
        try await Self.withHome { fixture in
            #expect(try await fixture.say("is the desk lamp on").answer.contains("off"))
            // A value changes without a change of the home.
            #expect(try await fixture.say("turn on the desk lamp").outcome == .done)
            #expect(try await fixture.say("is the desk lamp on").answer.contains("on"))
            let rename = RenameAccessory(fixture.accessories[0], name: "Reading Lamp")
            _ = try await fixture.client.call(HubMethods.renameAccessory, InHome(fixture.home, rename))
            #expect(try await fixture.say("turn off the reading lamp").outcome == .done)
            #expect(try fixture.value(of: HAPType.Characteristic.on, 0) == .bool(false))
        }
    }

    @Test func aSentenceReachesTheAccessoryAndTheJournalSaysWhoSaidIt() async throws {
        try await Self.withHome { fixture in
            let said = try await fixture.say("turn on the desk lamp")
            #expect(said.outcome == .done)
            #expect(said.answer == "Desk Lamp is on.")
            #expect(said.requests.first?.writes?.map(\.value) == [.bool(true)])
            #expect(try fixture.value(of: HAPType.Characteristic.on, 0) == .bool(true))
            await fixture.hub.journal.flush()
            let target = ItemTarget(home: fixture.home, id: fixture.accessories[0])
            let chain = try await fixture.client.call(HubMethods.explain, target).entries
            #expect(chain.map(\.cause.kind) == [.voice, .person])
            #expect(chain.last?.content == .sentence("turn on the desk lamp"))
            let sentence = JournalSentence(timeZone: .gmt, now: Date()).explanation(chain)
            #expect(sentence?.contains("because Tester said “turn on the desk lamp”.") == true, "\(sentence ?? "")")
        }
    }

    @Test func severalThingsAreDoneByOneSentence() async throws {
        try await Self.withHome { fixture in
            let said = try await fixture.say("set the desk lamp to 70 percent and turn on the floor lamp")
            #expect(said.outcome == .done, "\(said)")
            #expect(try fixture.value(of: HAPType.Characteristic.brightness, 0) == .integer(70))
            #expect(try fixture.value(of: HAPType.Characteristic.on, 0) == .bool(true))
            #expect(try fixture.value(of: HAPType.Characteristic.on, 1) == .bool(true))
        }
    }

    @Test func unlockingAsksWhichDoorAndWhetherToDoIt() async throws {
        try await Self.withHome { fixture in
            _ = try await fixture.client.call(HubMethods.questions, Empty())
            async let said = fixture.say("unlock the door")
            let which = try await fixture.client.until { !$0.questions.isEmpty }.questions[0]
            #expect(which.kind == .voice)
            #expect(which.text == "Which one: Front Door or Back Door?")
            _ = try await fixture.client.call(
                HubMethods.answerQuestion,
                AnswerQuestion(id: which.id, answer: "back door")
            )
            let confirmation = try await fixture.client.until { view in
                view.questions.contains { $0.id != which.id }
            }.questions.last
            #expect(confirmation?.text == "Unlock Back Door?")
            #expect(try fixture.value(of: HAPType.Characteristic.lockTargetState, 3) == .integer(1))
            let answer = AnswerQuestion(id: try #require(confirmation?.id), answer: "yes")
            _ = try await fixture.client.call(HubMethods.answerQuestion, answer)
            let result = try await said
            #expect(result.outcome == .done)
            #expect(result.answer == "Back Door is unlocked.")
            #expect(try fixture.value(of: HAPType.Characteristic.lockTargetState, 3) == .integer(0))
            #expect(try fixture.value(of: HAPType.Characteristic.lockTargetState, 2) == .integer(1))
        }
    }

    @Test func nothingIsUnlockedIfNobodyAgrees() async throws {
        try await Self.withHome { fixture in
            _ = try await fixture.client.call(HubMethods.questions, Empty())
            async let said = fixture.say("unlock the front door")
            let question = try await fixture.client.until { !$0.questions.isEmpty }.questions[0]
            _ = try await fixture.client.call(HubMethods.declineQuestion, QuestionTarget(id: question.id))
            #expect(try await said.outcome == .unconfirmed)
            #expect(try fixture.value(of: HAPType.Characteristic.lockTargetState, 2) == .integer(1))
            await fixture.hub.journal.flush()
            let query = JournalQuery(home: fixture.home, limit: 100)
            let entries = try await fixture.client.call(HubMethods.journal, query).entries
            #expect(!entries.contains { JournalEntry.isSentence($0) })
        }
    }

    @Test func aDryRunAsksNobodyAndChangesNothing() async throws {
        try await Self.withHome { fixture in
            let lamp = try await fixture.say("turn on the desk lamp", isDryRun: true)
            #expect(lamp.outcome == .done)
            #expect(lamp.requests.first?.writes?.count == 1)
            let door = try await fixture.say("unlock the front door", isDryRun: true)
            #expect(door.outcome == .unconfirmed)
            #expect(door.answer == "Unlock Front Door?")
            #expect(try fixture.value(of: HAPType.Characteristic.on, 0) == .bool(false))
        }
    }

    @Test func aSentenceForLaterBecomesAnAutomationThatRunsOnce() async throws {
        try await Self.withHome { fixture in
            let said = try await fixture.say("turn on the desk lamp in ten minutes")
            #expect(said.outcome == .done)
            let date = try #require(said.requests.first?.date)
            #expect((540...661).contains(date.timeIntervalSinceNow))
            let home = try #require(fixture.client.view.homes[fixture.home])
            let trigger = try #require(home.triggers.first)
            #expect(trigger.name == "turn on the desk lamp in ten minutes")
            #expect(trigger.isEnabled && trigger.isTemporary)
            guard case .timer(let schedule) = trigger.definition else {
                Issue.record("not a timer")
                return
            }
            #expect(schedule.fireDate == date && schedule.recurrence == nil)
            #expect(trigger.actionSets.compactMap { home.actionSet($0) }.flatMap(\.actions).count == 1)
            #expect(try fixture.value(of: HAPType.Characteristic.on, 0) == .bool(false))
        }
    }

    @Test func aGuestsSentenceDoesWhatTheGuestMay() async throws {
        try await Self.withHome { fixture in
            let guest = try await fixture.client.call(
                HubMethods.addUser,
                AddHomeUser(home: fixture.home, name: "Gus", role: .guest)
            ).id
            let speaker = try await RecordingHubClient(to: fixture.hub, as: guest, app: "hearth")
            #expect(try await fixture.say("turn on the desk lamp", by: speaker).outcome == .done)
            let later = try await fixture.say("turn off the desk lamp at midnight", by: speaker)
            #expect(later.outcome == .failed)
            #expect(later.answer.contains("may change"), "\(later.answer)")
            #expect(fixture.client.view.homes[fixture.home]?.triggers.isEmpty == true)
        }
    }

    @Test func whatIsNotUnderstoodDoesNothingAndSaysWhy() async throws {
        try await Self.withHome { fixture in
            let unknown = try await fixture.say("turn on the dongle")
            #expect(unknown.outcome == .notUnderstood)
            #expect(unknown.answer == "I don't know “dongle”.")
            #expect(try await fixture.say(String(repeating: "lamp ", count: 400)).outcome == .notUnderstood)
            #expect(try await fixture.say("set the desk lamp to 900 percent").outcome == .notUnderstood)
            let parameters = Say("turn on the desk lamp", language: "tlh")
            #expect(try await fixture.client.refusal(HubMethods.say, parameters) == "invalidParameter")
        }
    }

    @Test func anAccessoryThatDoesNotAnswerIsNamed() async throws {
        try await Self.withHome { fixture in
            await fixture.simulator.stop()
            try await fixture.client.until { view in
                view.reachability[fixture.accessories[0]]?.isReachable == false
            }
            let said = try await fixture.say("turn on the desk lamp")
            #expect(said.outcome == .failed)
            #expect(said.answer == "Desk Lamp doesn't answer.")
        }
    }

    @Test func anotherHomeIsMeantIfItIsNamed() async throws {
        try await Self.withHome { fixture in
            _ = try await fixture.client.call(HubMethods.addHome, AddHome(name: "Lake House"))
            let said = try await fixture.say("turn off the lights in the lake house")
            #expect(said.home != fixture.home)
            #expect(said.outcome == .notUnderstood)
            #expect(try await fixture.say("is the desk lamp on").home == fixture.home)
        }
    }

    @Test func examplesAreUnderstood() async throws {
        try await Self.withHome { fixture in
            for language in ["en", "de"] {
                let query = VoiceExamplesQuery(home: fixture.home, language: language)
                let examples = try await fixture.client.call(HubMethods.voiceExamples, query).sentences
                #expect(examples.count > 5)
                for example in examples {
                    let parameters = Say(example, language: language, isDryRun: true)
                    let said = try await fixture.client.call(HubMethods.say, parameters)
                    #expect(said.outcome != .notUnderstood, "\(example)")
                }
            }
        }
    }
}

extension JournalEntry {
    fileprivate static func isSentence(_ entry: JournalEntry) -> Bool {
        if case .sentence = entry.content { true } else { false }
    }
}
