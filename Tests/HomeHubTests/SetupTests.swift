import AccessorySimulator
import Foundation
import HAP
import HAPCatalog
import HomeModel
import HubAPI
import PeerProcess
import Testing

@testable import HomeHub
@testable import HomeKit

/// The guided setup, from an app's call and a user's answers to the accessory on the network.
struct SetupTests {
    /// An app with a home, and one accessory that can be added.
    private struct Fixture: Sendable {
        let hub: HomeHub
        let app: TestApp
        let home: HMHome
        let accessories: SimulatedAccessories
        let accessory: RunningAccessory

        var deviceID: String { accessory.deviceID.description }

        func payload() throws -> HMAccessorySetupPayload {
            try #require(HMAccessorySetupPayload(url: URL(string: accessory.setupPayload.uri)))
        }

        /// Returns the answers of a user who has the accessory at hand and accepts every suggestion.
        func reply(_ question: Question) -> [String: String]? {
            switch question.kind {
            // Accessories of other tests may be found before this one advertises that it can be paired again.
            case .accessory:
                ["accessory": question.fields[0].choices.contains { $0.value == deviceID } ? deviceID : "again"]
            case .setupCode: ["answer": accessory.setupCode.dashed]
            case .uncertifiedAccessory: ["decision": "add"]
            default: [:]
            }
        }
    }

    private static func with(
        _ text: (String) -> String = SimulatedAccessories.appliance,
        _ body: (Fixture) async throws -> Void
    ) async throws {
        try await withDataFolder { folder in
            try await withHub(at: folder) { hub in
                let name = SimulatedAccessories.newName("Fan")
                try await SimulatedAccessories.with([text(name)], in: folder) { accessories in
                    let app = TestApp(on: hub)
                    try await app.until("homes updated")
                    let home = try await app.manager.addHome(named: "My Home")
                    home.delegate = app
                    app.browser.startSearchingForNewAccessories()
                    _ = try await app.found(name)
                    let accessory = try #require(accessories.ready.first)
                    try await body(
                        Fixture(hub: hub, app: app, home: home, accessories: accessories, accessory: accessory)
                    )
                }
            }
        }
    }

    @Test func aPersonIsLedThroughAllSteps() async throws {
        try await Self.with { fixture in
            let kitchen = try await fixture.home.addRoom(named: "Kitchen")
            let other = TestApp(on: fixture.hub, named: "test.other")
            try await other.until("homes updated")
            let person = try await QuestionResponder(on: fixture.hub) { question in
                guard question.kind == .accessoryDetails else { return fixture.reply(question) }
                var answers: [String: String] = [:]
                for field in question.fields {
                    switch field.label {
                    case "Name": answers[field.id] = "Breeze"
                    case "Room": answers[field.id] = "kitchen"
                    case "Name of the Outlet “Socket”": answers[field.id] = "Plug"
                    case "Favorite “Socket”": answers[field.id] = "Yes"
                    case "Type of the Outlet “Socket”": answers[field.id] = "Light"
                    default: break
                    }
                }
                return answers
            }
            try await fixture.home.addAndSetUpAccessories()
            let kinds: [Question.Kind] = [.accessory, .setupCode, .uncertifiedAccessory, .accessoryDetails]
            #expect(person.asked.value.map(\.kind) == kinds)
            #expect(person.asked.value.allSatisfy { $0.app == "test.app" })
            let fan = try #require(fixture.home.accessories.first)
            #expect(fan.name == "Breeze")
            #expect(fan.room === kitchen)
            #expect(fan.isReachable)
            #expect(fan.services.filter(\.isUserInteractive).map(\.name) == ["Fan", "Plug"])
            let probe = try await RecordingHubClient(to: fixture.hub, app: "hearth.test")
            let record = try #require(probe.view.homes[fixture.home.uniqueIdentifier]?.accessories.first)
            #expect(Array(record.associatedTypes.values) == [HAPType.Service.lightbulb])
            // The person made the plug a favorite, and left the fan as suggested.
            let plug = try #require(probe.view.homes[fixture.home.uniqueIdentifier]?.tiles(inRoom: record.room).last)
            let identity = ServiceIdentity(
                accessory: record.id,
                service: Home.serviceID(of: plug.service.iid, in: record)
            )
            #expect(probe.view.account.favorites(in: fixture.home.uniqueIdentifier) == [.service(identity)])
            // The user added the accessory, so the app receives the change before its completion, like other apps.
            #expect(fixture.app.count("added Breeze") == 1)
            try await other.until("added Breeze")
            try await fixture.app.messages.until { $0.contains { $0.hasPrefix("lost Fan") } }
        }
    }

    @Test func aScannedPayloadSaysWhichAccessoryItIsAndItsCode() async throws {
        try await Self.with { fixture in
            let person = try await QuestionResponder(on: fixture.hub, reply: fixture.reply)
            let added = try await fixture.home.addAndSetUpAccessories(payload: try fixture.payload())
            #expect(person.asked.value.map(\.kind) == [.uncertifiedAccessory, .accessoryDetails])
            #expect(added == fixture.home.accessories)
            #expect(added.map(\.name) == [fixture.accessory.name])
            #expect(added.first?.room === fixture.home.roomForEntireHome())
            await #expect(throws: HMError.self) {
                _ = try await fixture.home.addAndSetUpAccessories(payload: try fixture.payload())
            }
        }
    }

    @Test func theSetupManagerAsksOnlyForWhatTheRequestDoesNotSay() async throws {
        try await Self.with { fixture in
            let cabin = try await fixture.app.manager.addHome(named: "Cabin")
            let bedroom = try await cabin.addRoom(named: "Bedroom")
            let person = try await QuestionResponder(on: fixture.hub) { question in
                question.kind == .home ? ["home": "Cabin"] : fixture.reply(question)
            }
            let request = HMAccessorySetupRequest()
            request.payload = try fixture.payload()
            request.suggestedAccessoryName = "Breeze"
            request.suggestedRoomUniqueIdentifier = bedroom.uniqueIdentifier
            cabin.delegate = fixture.app
            let manager = HomeKitEnvironment.$current.withValue(fixture.app.environment) { HMAccessorySetupManager() }
            let result = try await manager.performAccessorySetup(using: request)
            #expect(person.asked.value.map(\.kind) == [.home, .uncertifiedAccessory, .accessoryDetails])
            #expect(result.homeUniqueIdentifier == cabin.uniqueIdentifier)
            #expect(fixture.app.count("added Breeze") == 1)
            #expect(cabin.accessories.map(\.uniqueIdentifier) == result.accessoryUniqueIdentifiers)
            #expect(cabin.accessories.map(\.name) == ["Breeze"])
            #expect(cabin.accessories.first?.room === bedroom)
        }
    }

    @Test func suggestionsThatCannotBeAreNotMade() async throws {
        try await Self.with { fixture in
            _ = try await fixture.home.addRoom(named: "Breeze")
            let person = try await QuestionResponder(on: fixture.hub, reply: fixture.reply)
            let request = HMAccessorySetupRequest()
            request.payload = try fixture.payload()
            request.homeUniqueIdentifier = fixture.home.uniqueIdentifier
            request.suggestedAccessoryName = "Breeze"
            request.suggestedRoomUniqueIdentifier = UUID()
            let probe = try await RecordingHubClient(to: fixture.hub)
            _ = try await probe.call(HubMethods.setUpAccessories, request.parameters)
            let details = try #require(person.asked.value.last)
            #expect(details.fields.first { $0.label == "Name" }?.suggestion == fixture.accessory.name)
            let room = fixture.home.roomForEntireHome().uniqueIdentifier.uuidString
            #expect(details.fields.first { $0.label == "Room" }?.suggestion == room)
        }
    }

    @Test func aWrongCodeIsAskedForAgainAndTheThirdOneEndsTheSetUp() async throws {
        try await Self.with { fixture in
            let codes = AwaitableValue(["111-22-333", "111-22-334", "111-22-335", "111-22-336"])
            let person = try await QuestionResponder(on: fixture.hub) { question in
                guard question.kind == .setupCode else { return fixture.reply(question) }
                var code = fixture.accessory.setupCode.dashed
                codes.change { if !$0.isEmpty { code = $0.removeFirst() } }
                return ["answer": code]
            }
            #expect(await code { try await fixture.home.addAndSetUpAccessories() } == .accessoryPairingFailed)
            #expect(person.asked.value.count { $0.kind == .setupCode } == 3)
            #expect(person.asked.value.filter { $0.kind == .setupCode }.map(\.triesLeft) == [nil, 2, 1])
            #expect(person.asked.value.count { $0.kind == .uncertifiedAccessory } == 1)
            #expect(fixture.home.accessories.isEmpty)
            // The fourth code is wrong, too. The fifth is correct.
            try await fixture.home.addAndSetUpAccessories()
            #expect(person.asked.value.count { $0.kind == .setupCode } == 5)
            #expect(fixture.home.accessories.count == 1)
        }
    }

    @Test func whoIsInTheOtherHomeLearnsItsName() async throws {
        try await Self.with { fixture in
            let person = try await QuestionResponder(on: fixture.hub) { fixture.reply($0) }
            try await fixture.home.addAndSetUpAccessories()
            let owner = try await RecordingHubClient(to: fixture.hub)
            let cabin = try await owner.call(HubMethods.addHome, AddHome(name: "Cabin")).id
            let again = AddAccessory(home: cabin, deviceID: fixture.deviceID, code: fixture.accessory.setupCode.dashed)
            let error = await #expect(throws: HubError.self) { try await owner.call(HubMethods.addAccessory, again) }
            #expect(error?.code.rawValue == "alreadyAdded" && error?.reason.contains("“My Home”") == true)
            let home = ErrorParts.Subject(kind: "home", id: fixture.home.uniqueIdentifier, name: "My Home")
            #expect(error?.parts?.subjects == [home])
            _ = person
        }
    }

    @Test(arguments: [
        Question.Kind.accessory, .setupCode, .uncertifiedAccessory, .accessoryDetails,
    ])
    func whereverAPersonCancelsNothingIsAddedAndTheAccessoryIsFree(_ step: Question.Kind) async throws {
        try await Self.with { fixture in
            let declines = AwaitableValue(true)
            let person = try await QuestionResponder(on: fixture.hub) { question in
                question.kind == step && declines.value ? nil : fixture.reply(question)
            }
            #expect(await code { try await fixture.home.addAndSetUpAccessories() } == .operationCancelled)
            #expect(person.asked.value.last?.kind == step)
            #expect(fixture.home.accessories.isEmpty)
            declines.change { $0 = false }
            try await fixture.home.addAndSetUpAccessories()
            #expect(fixture.home.accessories.count == 1)
        }
    }

    @Test func anUncertifiedAccessoryThatIsNotToBeAddedCancels() async throws {
        try await Self.with { fixture in
            let person = try await QuestionResponder(on: fixture.hub) { question in
                question.kind == .uncertifiedAccessory ? ["decision": "Cancel"] : fixture.reply(question)
            }
            #expect(await code { try await fixture.home.addAndSetUpAccessories() } == .operationCancelled)
            #expect(person.asked.value.last?.kind == .uncertifiedAccessory)
        }
    }

    @Test func aNameThatIsTakenIsRefusedAndAskedForFurther() async throws {
        try await Self.with { fixture in
            _ = try await fixture.home.addRoom(named: "Breeze")
            let probe = try await RecordingHubClient(to: fixture.hub)
            _ = try await probe.call(HubMethods.questions, Empty())
            let payload = fixture.accessory.setupPayload.uri
            let parameters = SetUpAccessories(home: fixture.home.uniqueIdentifier, payload: payload)
            async let added = probe.call(HubMethods.setUpAccessories, parameters)
            let certificate = try await probe.until { !$0.questions.isEmpty }.questions[0]
            _ = try await probe.call(HubMethods.answerQuestion, AnswerQuestion(id: certificate.id, answer: "add"))
            let details = try await probe.until { $0.questions.first?.kind == .accessoryDetails }.questions[0]
            for (name, refusal) in [("breeze", "nameTaken"), ("A/B", "nameInvalidCharacter")] {
                let answer = AnswerQuestion(id: details.id, answer: name)
                #expect(try await probe.refusal(HubMethods.answerQuestion, answer) == refusal)
            }
            #expect(probe.view.questions == [details])
            _ = try await probe.call(HubMethods.answerQuestion, AnswerQuestion(id: details.id, answer: "Wind"))
            #expect(try await added.ids.count == 1)
            #expect(probe.view.homes[fixture.home.uniqueIdentifier]?.accessories.map(\.name) == ["Wind"])
        }
    }

    @Test func aClientFollowsTheStepsOfItsOwnSetup() async throws {
        try await Self.with { fixture in
            let probe = try await RecordingHubClient(to: fixture.hub)
            let other = try await RecordingHubClient(to: fixture.hub)
            _ = try await probe.call(HubMethods.questions, Empty())
            let parameters = SetUpAccessories(
                home: fixture.home.uniqueIdentifier,
                payload: fixture.accessory.setupPayload.uri,
                reference: "mine"
            )
            async let added = probe.call(HubMethods.setUpAccessories, parameters)
            let certificate = try await probe.until { !$0.questions.isEmpty }.questions[0]
            _ = try await probe.call(HubMethods.answerQuestion, AnswerQuestion(id: certificate.id, answer: "add"))
            let details = try await probe.until { $0.questions.first?.kind == .accessoryDetails }.questions[0]
            #expect(Self.steps(seenBy: probe).last == "placing")
            _ = try await probe.call(HubMethods.answerQuestion, AnswerQuestion(id: details.id, answer: "Wind"))
            _ = try await added
            #expect(Self.steps(seenBy: probe) == ["looking", "pairing", "reading", "placing", "saving", "done"])
            #expect(Self.steps(seenBy: other).isEmpty)
        }
    }

    private static func steps(seenBy client: RecordingHubClient) -> [String] {
        client.messages.compactMap { message in
            guard case .event(.setupProgress(let progress)) = message, progress.reference == "mine" else { return nil }
            return progress.step.rawValue
        }
    }

    @Test func ofABridgeEverythingBehindItIsNamedAndPlacedAtOnce() async throws {
        try await Self.with(SimulatedAccessories.bridge) { fixture in
            let kitchen = try await fixture.home.addRoom(named: "Kitchen")
            let person = try await QuestionResponder(on: fixture.hub) { question in
                guard question.kind == .accessoryDetails else { return fixture.reply(question) }
                var answers: [String: String] = [:]
                for field in question.fields {
                    if field.label == "Name of “One”" { answers[field.id] = "Stove Light" }
                    if field.label == "Room of “One”" { answers[field.id] = kitchen.uniqueIdentifier.uuidString }
                }
                return answers
            }
            let added = try await fixture.home.addAndSetUpAccessories(payload: try fixture.payload())
            // A name and a room of each, and a favorite of each but the bridge.
            let fields = try #require(person.asked.value.last?.fields)
            #expect(
                fields.map { $0.subject?.property.rawValue } == [
                    "name", "room", "name", "room", "favorite", "name", "room", "favorite",
                ]
            )
            #expect(
                fields.compactMap { $0.subject?.accessory }
                    == added.flatMap { accessory in
                        [UUID](repeating: accessory.uniqueIdentifier, count: accessory.isBridged ? 3 : 2)
                    }
            )
            #expect(added.map(\.name) == [fixture.accessory.name, "Stove Light", "Two"])
            #expect(added.map { $0.room === kitchen } == [false, true, false])
            #expect(added.map(\.isBridged) == [false, true, true])
        }
    }

    @Test func aRoomThatTheHomeDoesNotHaveIsAddedOnce() async throws {
        try await Self.with(SimulatedAccessories.bridge) { fixture in
            let person = try await QuestionResponder(on: fixture.hub) { question in
                guard question.kind == .accessoryDetails else { return fixture.reply(question) }
                let rooms = ["Room of “One”": "Attic", "Room of “Two”": "attic"]
                let answers = question.fields.compactMap { field in rooms[field.label].map { (field.id, $0) } }
                return Dictionary(uniqueKeysWithValues: answers)
            }
            let added = try await fixture.home.addAndSetUpAccessories(payload: try fixture.payload())
            #expect(person.asked.value.last?.fields.filter { $0.acceptsNew == true }.count == 3)
            #expect(fixture.home.rooms.map(\.name) == ["Attic"])
            #expect(added.map { $0.room?.name } == ["Default Room", "Attic", "Attic"])
        }
    }

    @Test func aRoomThatCannotBeIsRefusedAndAskedForFurther() async throws {
        try await Self.with { fixture in
            let probe = try await RecordingHubClient(to: fixture.hub)
            let (asking, form) = try await Self.openForm(fixture, probe)
            let field = try #require(form.fields.first { $0.subject?.property == .room })
            for (room, refusal) in [("A/B", "nameInvalidCharacter"), (UUID().uuidString, "notFound")] {
                let answer = AnswerQuestion(id: form.id, answers: [field.id: room])
                #expect(try await probe.refusal(HubMethods.answerQuestion, answer) == refusal)
            }
            #expect(fixture.home.rooms.isEmpty && probe.view.questions == [form])
            _ = try await probe.call(HubMethods.declineQuestion, QuestionTarget(id: form.id))
            await #expect(throws: (any Error).self) { try await asking.value }
        }
    }

    @Test func whatAsksEndsWithTheAppThatAskedForTheSetUp() async throws {
        try await Self.with { fixture in
            let watcher = try await RecordingHubClient(to: fixture.hub)
            _ = try await watcher.call(HubMethods.questions, Empty())
            let asker = try await RecordingHubClient(to: fixture.hub, app: "test.asker")
            let parameters = SetUpAccessories(
                home: fixture.home.uniqueIdentifier,
                payload: fixture.accessory.setupPayload.uri
            )
            let asking = Task { try await asker.call(HubMethods.setUpAccessories, parameters) }
            let first = try await watcher.until { !$0.questions.isEmpty }.questions[0]
            _ = try await watcher.call(HubMethods.answerQuestion, AnswerQuestion(id: first.id, answer: "add"))
            _ = try await watcher.until { $0.questions.first?.kind == .accessoryDetails }
            asker.close()
            await #expect(throws: HubError.self) { try await asking.value }
            try await watcher.until { $0.questions.isEmpty }
            // The accessory was already paired, and is unpaired again.
            _ = try await watcher.call(HubMethods.startBrowsing, Empty())
            try await watcher.until {
                $0.discovered.values.contains { $0.deviceID == fixture.deviceID && !$0.isPaired }
            }
            #expect(watcher.view.homes[fixture.home.uniqueIdentifier]?.accessories.isEmpty == true)
        }
    }

    /// Scans a setup code and takes the setup to its last question, which stays open.
    private static func openForm(_ fixture: Fixture, _ probe: RecordingHubClient) async throws -> (
        Task<[UUID], any Error>, Question
    ) {
        let parameters = SetUpAccessories(
            home: fixture.home.uniqueIdentifier,
            payload: fixture.accessory.setupPayload.uri
        )
        _ = try await probe.call(HubMethods.questions, Empty())
        let asking = Task { try await probe.call(HubMethods.setUpAccessories, parameters).ids }
        let first = try await probe.until { !$0.questions.isEmpty }.questions[0]
        _ = try await probe.call(HubMethods.answerQuestion, AnswerQuestion(id: first.id, answer: "add"))
        let isForm: @Sendable (Question) -> Bool = { $0.kind == .accessoryDetails }
        let form = try await probe.until { $0.questions.contains(where: isForm) }.questions.first(where: isForm)
        return (asking, try #require(form))
    }

    @Test func whatAnAccessoryChangesWhileItsFormIsOpenIsTakenOver() async throws {
        try await Self.with { fixture in
            let probe = try await RecordingHubClient(to: fixture.hub)
            let (asking, form) = try await Self.openForm(fixture, probe)
            let deviceID = fixture.accessory.deviceID
            let old = await fixture.hub.connections.links[deviceID]?.attributes
            #expect(old != nil)
            try await fixture.accessories.simulator.edit(fixture.accessory.name, .removeService("Outlet"))
            while true {
                let present = await fixture.hub.connections.links[deviceID]?.attributes
                if present != nil, present != old { break }
                await Task.yield()
            }
            _ = try await probe.call(HubMethods.answerQuestion, AnswerQuestion(id: form.id, answers: [:]))
            #expect(try await asking.value.count == 1)
            let home = try #require(probe.view.homes[fixture.home.uniqueIdentifier])
            let record = try #require(home.accessories.first)
            #expect(home.services(of: record).filter(\.isUserInteractive).map(\.type) == [HAPType.Service.fan])
        }
    }

    @Test func theRemovalOfAHomeFreesTheAccessoryThatIsBeingAdded() async throws {
        try await Self.with { fixture in
            let probe = try await RecordingHubClient(to: fixture.hub)
            let (asking, _) = try await Self.openForm(fixture, probe)
            let person = try await RecordingHubClient(to: fixture.hub)
            _ = try await person.call(HubMethods.removeHome, HomeTarget(home: fixture.home.uniqueIdentifier))
            // The form is still open, but its pairing was removed with the home.
            #expect(await fixture.hub.connections.session(to: fixture.accessory.deviceID) == nil)
            #expect(try await fixture.hub.vault.scheduledRemovals().isEmpty)
            probe.close()
            await #expect(throws: HubError.self) { try await asking.value }
        }
    }

    @Test func whatCannotBeSetUpIsRefusedWithItsReason() async throws {
        try await withHub { hub in
            let probe = try await RecordingHubClient(to: hub)
            let setUp = HubMethods.setUpAccessories
            #expect(try await probe.refusal(setUp, SetUpAccessories()) == "notFound")
            let home = try await probe.call(HubMethods.addHome, AddHome(name: "My Home")).id
            #expect(try await probe.refusal(setUp, SetUpAccessories(home: UUID())) == "notFound")
            for payload in ["", "http://a", "X-HM://0", "X-HM://ZZZZZZZZZABCD"] {
                let parameters = SetUpAccessories(home: home, payload: payload)
                #expect(try await probe.refusal(setUp, parameters) == "invalidSetupPayload", "\(payload)")
            }
            let code = try SetupCode("482-11-957")
            let payload = SetupPayload(category: 5, setupCode: code, setupID: SetupID("7OSX")).uri
            // No accessory here has this setup ID.
            let absent = SetUpAccessories(home: home, payload: payload)
            #expect(try await probe.refusal(setUp, absent) == "notDiscovered")

            let guest = try await probe.call(HubMethods.addUser, AddHomeUser(home: home, name: "Guest", role: .guest))
                .id
            let visitor = try await RecordingHubClient(to: hub, as: guest)
            #expect(try await visitor.refusal(setUp, SetUpAccessories(home: home)) == "insufficientPrivileges")
            #expect(try await visitor.refusal(setUp, SetUpAccessories()) == "insufficientPrivileges")
        }
    }

    @Test func onlyUrlsOfSetUpCodesMakePayloads() throws {
        #expect(HMAccessorySetupPayload(url: nil) == nil)
        let others = [
            "http://example.com", "X-HM://", "X-HM://0123456789AB", "X-HM://0123456789ABCD", "X-HM://0123456789ÄB",
        ]
        for text in others {
            let url: URL? = URL(string: text)
            #expect(url != nil && HMAccessorySetupPayload(url: url) == nil, "\(text)")
        }
        let uri = SetupPayload(category: 5, setupCode: try SetupCode("482-11-957"), setupID: SetupID("7OSX")).uri
        let url = try #require(URL(string: uri) as URL?)
        #expect(HMAccessorySetupPayload(url: url)?.text == uri)
        let token = try #require(HMAccessoryOwnershipToken(data: Data([1, 2])))
        #expect(HMAccessorySetupPayload(url: url, ownershipToken: token)?.ownershipToken == token)
        #expect(HMAccessoryOwnershipToken(data: Data()) == nil)
    }
}
