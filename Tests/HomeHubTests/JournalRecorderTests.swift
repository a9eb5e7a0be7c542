import AccessorySimulator
import Foundation
import HAP
import HAPCatalog
import HAPClient
import HomeIdentity
import HomeModel
import HubAPI
import Journal
import Testing

@testable import HomeHub

/// What the hub records of what happens.
struct JournalRecorderTests {
    @Test func aWriteHasItsUserAppAndBothValues() async throws {
        try await JournalFixture.with { fixture in
            let lamp = try fixture.accessory("Lamp")
            let origin = Origin(cause: .app, caller: fixture.caller)
            fixture.publish(.bool(true), previous: .bool(false), of: 11, on: lamp.id, by: origin)
            let entry = try #require(try await fixture.entries().first)
            #expect(entry.person == "Tester" && entry.app == "com.example.lights" && entry.cause == .app)
            #expect(entry.journalValue?.accessory == JournalObject(id: lamp.id, name: "Lamp"))
            #expect(entry.journalValue?.value == .bool(true) && entry.journalValue?.previous == .bool(false))
            #expect(entry.journalValue?.type == HAPType.Characteristic.on)
        }
    }

    @Test func aRequestFromADeviceOverTheNetworkNamesTheDeviceToEditorsOnly() async throws {
        try await JournalFixture.with { fixture in
            let key = Data(IdentityKey().publicKey.bytes)
            let vouching = VouchForDevice(name: "Laptop", kind: "agent", key: key)
            let device = try await fixture.client.call(HubMethods.vouchForDevice, vouching).id
            let guest = AddHomeUser(home: fixture.home, name: "Ben", role: .guest)
            _ = try await fixture.client.call(HubMethods.addUser, guest)
            var caller = fixture.caller
            caller.device = device
            let lamp = try fixture.accessory("Lamp")
            let origin = Origin(cause: .person, caller: caller)
            fixture.publish(.bool(true), previous: .bool(false), of: 11, on: lamp.id, by: origin)
            let entry = try #require(try await fixture.entries().first)
            #expect(entry.device == "Laptop" && entry.way == .near && entry.person == "Tester")

            caller.isAway = true
            let distant = Origin(cause: .person, caller: caller)
            fixture.publish(.bool(false), previous: .bool(true), of: 11, on: lamp.id, by: distant)
            let other = try #require(try await fixture.entries().first)
            #expect(other.device == "Laptop" && other.isFromAway)

            let app = try await RecordingHubClient(to: fixture.hub, app: "com.example.lights")
            let seen = try #require(try await fixture.entries(app).first)
            #expect(seen.device == nil && seen.way == nil)
            let users = await fixture.hub.database.homes.flatMap { Array($0.users) }
            let ben = try #require(users.first { $0.name == "Ben" }?.id)
            let authority = SessionAuthority(user: ben, device: UUID(), client: .device)
            let bens = try await RecordingHubClient(to: fixture.hub, with: authority, app: "hearth")
            #expect(try await fixture.entries(bens).first.map(\.device) == .some(nil))

            // At the hub's own machine there is nothing to tell.
            fixture.publish(
                .bool(true),
                previous: .bool(false),
                of: 11,
                on: lamp.id,
                by: Origin(cause: .person, caller: fixture.caller)
            )
            #expect(try await fixture.entries().first.map(\.device) == .some(nil))
        }
    }

    @Test func editorsSeeDevicesGoAndTheirAppsDoNot() async throws {
        try await JournalFixture.with { fixture in
            let key = Data(IdentityKey().publicKey.bytes)
            let vouching = VouchForDevice(name: "Laptop", kind: "agent", key: key)
            let device = try await fixture.client.call(HubMethods.vouchForDevice, vouching).id
            _ = try await fixture.client.call(HubMethods.removeDevice, RemoveDevice(id: device))
            let query = JournalQuery(home: fixture.home, limit: 100)
            let entries = try await fixture.client.call(HubMethods.journal, query).entries
            let changes = entries.prefix(2).compactMap { entry -> (verb: Verb, names: [String])? in
                guard case .change(let verb, let objects) = entry.content else { return nil }
                return (verb, objects.map(\.name))
            }
            #expect(changes.map(\.verb) == [.deviceLeft, .deviceJoined])
            #expect(changes.map(\.names) == [["Tester", "Laptop"], ["Tester", "Laptop"]])
            #expect(entries.first?.person == "Tester")

            let app = try await RecordingHubClient(to: fixture.hub, app: "com.example.lights")
            let seen = try await app.call(HubMethods.journal, query).entries
            #expect(seen.count == entries.count - 2)
            #expect(seen.allSatisfy { !"\($0.content)".contains("Laptop") })
        }
    }

    @Test func editorsSeeWhatIsKeptAtARelayAndTheirAppsDoNot() async throws {
        try await JournalFixture.with { fixture in
            let relay = MemoryRelay()
            try await fixture.hub.startSync { _, _ in relay }
            let query = JournalQuery(home: fixture.home, limit: 100)
            let device = FeedDevice()
            let id = try await device.add(by: fixture.client)
            let before = try await fixture.client.call(HubMethods.journal, query).entries
            _ = try await fixture.client.call(HubMethods.enableSync, EnableSync(relay: "https://one.example"))
            let agent = try await device.agent(fixture.hub)
            _ = try await agent.call(HubMethods.openFeed, device.keys)
            _ = try await fixture.client.call(HubMethods.enableSync, EnableSync(relay: "https://two.example"))
            var keys = device.keys
            keys.vaultOpened = Date()
            _ = try await agent.call(HubMethods.openFeed, keys)
            _ = try await fixture.client.call(HubMethods.disableSync, Empty())
            _ = try await fixture.client.call(HubMethods.removeDevice, RemoveDevice(id: id))
            let entries = try await fixture.client.call(HubMethods.journal, query).entries
            let changes = entries.dropLast(before.count).reversed().compactMap { entry -> [String]? in
                guard case .change(let verb, let objects) = entry.content else { return nil }
                return [verb.rawValue] + objects.map(\.name)
            }
            #expect(
                changes == [
                    ["syncEnabled", "https://one.example"], ["feedBegun", "Tester"],
                    ["syncMoved", "https://two.example", "https://one.example"],
                    ["vaultOpened", "https://two.example"],
                    ["syncDisabled", "https://two.example"], ["deviceLeft", "Tester", "Laptop"],
                ]
            )
            #expect(entries.first { $0.content.isSync(.syncMoved) }?.person == "Tester")
            #expect(entries.first { $0.content.isSync(.feedBegun) }?.cause == .hub)
            let opened = entries.first { $0.content.isSync(.vaultOpened) }
            #expect(opened?.person == "Tester")

            let app = try await RecordingHubClient(to: fixture.hub, app: "com.example.lights")
            let seen = try await app.call(HubMethods.journal, query).entries
            #expect(!seen.contains { "\($0.content)".contains("example") || $0.content.isSync(.feedBegun) })
        }
    }

    @Test func entriesHaveTheNamesOfTheirTime() async throws {
        try await JournalFixture.with { fixture in
            let lamp = try fixture.accessory("Lamp")
            fixture.publish(.bool(true), previous: .bool(false), of: 11, on: lamp.id)
            _ = try await fixture.client.call(
                HubMethods.renameAccessory,
                InHome(fixture.home, RenameAccessory(lamp.id, name: "Desk Lamp"))
            )
            fixture.publish(.bool(false), previous: .bool(true), of: 11, on: lamp.id)
            let names = try await fixture.entries(about: lamp.id).compactMap(\.journalValue?.accessory.name)
            #expect(names == ["Desk Lamp", "Lamp"])
            let query = JournalQuery(home: fixture.home, about: lamp.id, limit: 10)
            let all = try await fixture.client.call(HubMethods.journal, query).entries
            let renamed = try #require(all.dropFirst().first)
            #expect(
                renamed.content == .change(.accessoryRenamed, objects: [JournalObject(id: lamp.id, name: "Desk Lamp")])
            )
            #expect(renamed.cause == .person && renamed.person == "Tester" && renamed.app == "hearth")
        }
    }

    @Test func whatIsRemovedKeepsItsName() async throws {
        try await JournalFixture.with { fixture in
            let room = InHome(fixture.home, AddRoom(name: "Attic"))
            let id = try await fixture.client.call(HubMethods.addRoom, room).id
            _ = try await fixture.client.call(HubMethods.removeRoom, InHome(fixture.home, RemoveRoom(id)))
            let query = JournalQuery(home: fixture.home, about: id, limit: 10)
            let entries = try await fixture.client.call(HubMethods.journal, query).entries
            let attic = JournalObject(id: id, name: "Attic")
            #expect(
                entries.map(\.content)
                    == [.change(.roomRemoved, objects: [attic]), .change(.roomAdded, objects: [attic])]
            )
        }
    }

    @Test func theFirstValuesAfterAStartAreNotChanges() async throws {
        try await JournalFixture.with { fixture in
            let lamp = try fixture.accessory("Lamp")
            fixture.publish(.bool(true), of: 11, on: lamp.id)
            #expect(try await fixture.entries().isEmpty)
            fixture.publish(.bool(true), of: 21, on: lamp.id, by: Origin(cause: .person, caller: fixture.caller))
            #expect(try await fixture.entries().count == 1)
            // A value that changed while the accessory was away is one.
            fixture.publish(.bool(false), previous: .bool(true), of: 11, on: lamp.id)
            #expect(try await fixture.entries().first?.cause == .accessory)
        }
    }

    @Test func eachPressOfAButtonIsAnEntry() async throws {
        try await JournalFixture.with { fixture in
            let sensor = try fixture.accessory("Sensor")
            fixture.publish(.integer(0), of: 41, on: sensor.id)
            fixture.publish(.integer(0), of: 41, on: sensor.id)
            fixture.publish(nil, of: 41, on: sensor.id)
            #expect(try await fixture.entries().compactMap(\.journalValue?.value) == [.integer(0), .integer(0)])
        }
    }

    @Test func measurementsAreSamplesAndNotEntries() async throws {
        try await JournalFixture.with { fixture in
            let sensor = try fixture.accessory("Sensor")
            let start = Date()
            for value in [20.0, 20.5, 21] { fixture.publish(.double(value), of: 31, on: sensor.id) }
            #expect(try await fixture.entries().isEmpty)
            let query = JournalSampleQuery(home: fixture.home, accessory: sensor.id, since: start - 1)
            let series = try await fixture.client.call(HubMethods.journalSamples, query).series
            #expect(series.map(\.iid) == [31])
            #expect(series.first?.values.last == 21)
            // More than one only if a minute ended in between.
            #expect((1...2).contains(series.first?.times.count ?? 0))
        }
    }

    @Test func bytesAndHiddenCharacteristicsAreNotRecorded() {
        func rule(_ type: HAPType) -> RecordingRule? {
            guard let definition = CharacteristicDefinition.of(type) else { return nil }
            return RecordingRule(
                CharacteristicShape(
                    iid: 1,
                    type: type,
                    permissions: definition.permissions,
                    metadata: definition.metadata
                )
            )
        }
        typealias Type = HAPType.Characteristic
        for type in [Type.currentTemperature, Type.currentPosition, Type.batteryLevel, Type.currentAmbientLightLevel] {
            #expect(rule(type) == .samples, "\(type)")
        }
        for type in [
            Type.on, Type.brightness, Type.motionDetected, Type.contactSensorState, Type.lockCurrentState,
            Type.currentDoorState, Type.statusLowBattery, Type.targetTemperature, Type.programmableSwitchEvent,
            Type.airQuality,
        ] {
            #expect(rule(type) == .entries, "\(type)")
        }
        #expect(rule(Type.lockControlPoint) == .nothing)
        let hidden = CharacteristicShape(
            iid: 1,
            type: Type.on,
            permissions: [.read, .write, .hidden],
            metadata: CharacteristicMetadata(format: .bool)
        )
        #expect(RecordingRule(hidden) == .nothing)
    }

    @Test func aFiringItsSceneAndItsValuesAreOneChain() async throws {
        try await JournalFixture.with { fixture in
            let lamp = try fixture.accessory("Lamp")
            let scene = try await fixture.client.call(
                HubMethods.addActionSet,
                InHome(fixture.home, AddActionSet(name: "Cozy"))
            ).id
            let identity = try #require(
                fixture.client.view.homes[fixture.home]?.identity(ofCharacteristic: 11, in: lamp.id)
            )
            let term = Condition.presence(Presence(.firstEntry, of: .users([fixture.hub.owner.user])))
            let (trigger, firing, run) = (UUID(), UUID(), UUID())
            let moment = Date(timeIntervalSince1970: 1_800_000_000)
            fixture.hub.activities.publish(
                .trigger(
                    TriggerActivity(
                        id: firing,
                        home: fixture.home,
                        trigger: trigger,
                        time: moment,
                        outcome: .fired,
                        event: TriggerEvent(id: UUID(), occurrence: .sun(SunMoment(.sunset, offset: 15))),
                        observations: [
                            Observation(term, isTrue: true, present: [fixture.hub.owner.user]),
                            Observation(
                                .characteristic(identity, .equal, .bool(false)),
                                isTrue: true,
                                value: .bool(false)
                            ),
                        ],
                        due: moment,
                        parent: nil
                    )
                )
            )
            let cause = Origin(cause: Cause(kind: .scene, subject: scene), caller: nil, parent: run)
            fixture.publish(.bool(true), previous: .bool(false), of: 11, on: lamp.id, by: cause)
            fixture.hub.activities.publish(
                .scene(
                    SceneActivity(
                        id: run,
                        home: fixture.home,
                        actionSet: scene,
                        time: moment,
                        actions: 1,
                        failures: 0,
                        origin: Origin(cause: Cause(kind: .trigger, subject: trigger), caller: nil, parent: firing)
                    )
                )
            )
            let chain = try await fixture.explain(lamp.id)
            try #require(chain.count == 3)
            #expect(chain[0].journalValue?.value == .bool(true) && chain[0].parent == run)
            #expect(chain[1].content == .scene(JournalObject(id: scene, name: "Cozy"), actions: 1, failures: 0))
            #expect(chain[2].id == firing && chain[2].time == moment)
            guard case .trigger(_, .fired, _, let observations, moment) = chain[2].content else {
                Issue.record("\(chain[2].content)")
                return
            }
            // The client knows its user by an alias.
            let alias = try #require(fixture.client.view.homes[fixture.home]?.users.first?.id)
            #expect(alias != fixture.hub.owner.user)
            #expect(observations.first?.present == [alias])
            #expect(observations.first?.term == .presence(Presence(.firstEntry, of: .users([alias]))))
            #expect(
                chain[2].names
                    == [
                        JournalObject(id: lamp.id, name: "Lamp"),
                        JournalObject(id: alias, name: "Tester", isUser: true),
                    ]
            )
            #expect(try await fixture.explain(scene) == Array(chain.dropFirst()))
        }
    }

    @Test func anActionThatIsNotEvenTriedIsAFailedWriteOfItsScene() async throws {
        try await JournalFixture.with { fixture in
            let lamp = try fixture.accessory("Lamp")
            let scene = try await fixture.client.call(
                HubMethods.addActionSet,
                InHome(fixture.home, AddActionSet(name: "Cozy"))
            ).id
            let identity = try #require(
                fixture.client.view.homes[fixture.home]?.identity(ofCharacteristic: 21, in: lamp.id)
            )
            let action = AddAction(identity, value: .bool(true), actionSet: scene)
            _ = try await fixture.client.call(HubMethods.addAction, InHome(fixture.home, action))

            // The lamp's firmware no longer has the switch.
            let server = lamp.server
            var candidates = [AccessoryCandidate.gadget("Lamp", id: lamp.id), .gadget("Sensor", aid: 2)]
            candidates[0].services.removeLast()
            let update = UpdateAccessories(candidates, server: server)
            try await fixture.hub.database.submit(update, in: fixture.home, asHub: fixture.caller).committed()

            let target = ItemTarget(home: fixture.home, id: scene)
            let result = try await fixture.client.call(HubMethods.runActionSet, target)
            #expect(result.failures.map(\.accessory) == [lamp.id])

            let chain = try await fixture.explain(lamp.id)
            guard case .failedWrite(let value, let error)? = chain.first?.content else {
                Issue.record("\(chain)")
                return
            }
            #expect(value.accessory == JournalObject(id: lamp.id, name: "Lamp"))
            #expect(value.type == HAPType.Characteristic.on && value.value == .bool(true) && value.iid == 0)
            #expect(error.code == .noSuchCharacteristic)
            #expect(
                chain.dropFirst().first?.content
                    == .scene(JournalObject(id: scene, name: "Cozy"), actions: 1, failures: 1)
            )
        }
    }

    @Test func actionsThatATriggerOwnsAreToldAsTheTriggers() async throws {
        try await JournalFixture.with { fixture in
            let (client, home) = (fixture.client, fixture.home)
            let trigger = try await client.call(
                HubMethods.addTrigger,
                InHome(home, AddTrigger(name: "Evening", RoleTable.daily))
            ).id
            let owned = try await client.call(
                HubMethods.addOwnedActionSet,
                InHome(home, AddOwnedActionSet(trigger: trigger))
            ).id
            let lamp = try fixture.accessory("Lamp").id
            let identity = try #require(client.view.homes[home]?.identity(ofCharacteristic: 11, in: lamp))
            let action = AddAction(identity, value: .bool(true), actionSet: owned)
            _ = try await client.call(HubMethods.addAction, InHome(home, action))
            fixture.hub.activities.publish(
                .scene(
                    SceneActivity(
                        id: UUID(),
                        home: home,
                        actionSet: owned,
                        time: Date(milliseconds: 1_800_000_000_000),
                        actions: 1,
                        failures: 0,
                        origin: Origin(cause: Cause(kind: .trigger, subject: trigger), caller: nil)
                    )
                )
            )
            _ = try await client.call(HubMethods.removeActionSet, InHome(home, RemoveActionSet(owned)))

            let evening = JournalObject(id: trigger, name: "Evening")
            let query = JournalQuery(home: home, about: trigger, limit: 10)
            let changes = try await client.call(HubMethods.journal, query).entries.map(\.content)
            #expect(
                changes == [
                    .change(.triggerUpdated, objects: [evening]), .change(.actionsChanged, objects: [evening]),
                    .change(.triggerUpdated, objects: [evening]), .change(.triggerAdded, objects: [evening]),
                ]
            )
            let runs = try await fixture.entries(about: owned).map(\.content)
            #expect(runs == [.scene(JournalObject(id: owned, name: "Evening"), actions: 1, failures: 0)])
        }
    }

    @Test func theJournalHasNoPlaces() async throws {
        try await JournalFixture.with { fixture in
            let region = LocationRegion(
                identifier: "school",
                latitude: 48.137,
                longitude: 11.575,
                radius: 100,
                onEntry: true,
                onExit: false,
                user: fixture.hub.owner.user
            )
            let trigger = try await fixture.client.call(
                HubMethods.addTrigger,
                InHome(
                    fixture.home,
                    AddTrigger(
                        name: "School",
                        .event(EventRule(events: [TriggerEvent(id: UUID(), occurrence: .location(region))]))
                    )
                )
            ).id
            fixture.hub.activities.publish(
                .trigger(
                    TriggerActivity(
                        id: UUID(),
                        home: fixture.home,
                        trigger: trigger,
                        time: Date(),
                        outcome: .conditionFalse,
                        event: TriggerEvent(id: UUID(), occurrence: .location(region)),
                        observations: [],
                        due: nil,
                        parent: nil
                    )
                )
            )
            _ = try await fixture.client.call(
                HubMethods.setHomePlace,
                InHome(fixture.home, SetHomePlace(Place(latitude: 48.137, longitude: 11.575)))
            )
            let chain = try await fixture.explain(trigger)
            guard case .trigger(_, .conditionFalse, let event?, _, _)? = chain.first?.content,
                case .hiddenLocation(let location) = event.occurrence
            else {
                Issue.record("\(chain)")
                return
            }
            #expect(location.user == fixture.client.view.homes[fixture.home]?.users.first?.id)
            let query = JournalQuery(home: fixture.home, limit: 100)
            let all = try await fixture.client.call(HubMethods.journal, query)
            let text = String(decoding: try JSONEncoder().encode(all), as: UTF8.self)
            #expect(text.contains(Verb.homePlaceChanged.rawValue))
            #expect(!text.contains("48.13") && !text.contains("11.57"))
            #expect(!text.contains(fixture.hub.owner.user.uuidString))
        }
    }

    @Test func onlyArrivalsAndDeparturesAreRecordedOfPresence() async throws {
        try await JournalFixture.with { fixture in
            let owner = fixture.hub.owner.user
            func report(_ wasHome: Bool?, _ isHome: Bool) {
                fixture.hub.activities.publish(
                    .presence(
                        PresenceActivity(
                            home: fixture.home,
                            user: owner,
                            wasHome: wasHome,
                            isHome: isHome,
                            from: nil,
                            to: Place(latitude: 1, longitude: 2),
                            time: Date(),
                            origin: Origin(cause: .person, caller: fixture.caller)
                        )
                    )
                )
            }
            report(nil, true)
            report(true, true)
            report(true, false)
            let alias = try #require(fixture.client.view.homes[fixture.home]?.users.first?.id)
            let person = JournalObject(id: alias, name: "Tester", isUser: true)
            #expect(
                try await fixture.entries().map(\.content)
                    == [.presence(person, isHome: false), .presence(person, isHome: true)]
            )
        }
    }

    @Test func reachabilityIsRecordedWhenItChanges() async throws {
        try await JournalFixture.with { fixture in
            let sensor = try fixture.accessory("Sensor")
            // Forgotten, because the accessories of this home aren't on the network.
            let before = try await fixture.entries(about: sensor.id).count
            func publish(_ isReachable: Bool, _ cause: String? = nil) {
                fixture.hub.activities.publish(
                    .reachability([
                        ReachabilityUpdate(
                            home: fixture.home,
                            accessory: sensor.id,
                            isReachable: isReachable,
                            cause: cause
                        )
                    ])
                )
            }
            publish(true)
            publish(false, "No route.")
            publish(false, "Not advertised.")
            publish(true)
            let entries = try await fixture.entries(about: sensor.id)
            let object = JournalObject(id: sensor.id, name: "Sensor")
            #expect(
                entries.dropLast(before).prefix(2).map(\.content) == [
                    .reachability(object, isReachable: true, reason: nil),
                    .reachability(object, isReachable: false, reason: "No route."),
                ]
            )
        }
    }

    @Test func aProgramInALoopDoesNotDisplaceTheHistory() async throws {
        try await JournalFixture.with { fixture in
            let lamp = try fixture.accessory("Lamp")
            let origin = Origin(cause: .app, caller: fixture.caller)
            for _ in 0..<50 { fixture.publish(.bool(true), of: 11, on: lamp.id, by: origin, isRepeated: true) }
            let repeated = try await fixture.entries()
            // Two if a minute ended in between.
            #expect((1...2).contains(repeated.count))
            #expect(repeated.first?.journalValue?.isChange == false)
        }
    }

    @Test func aCharacteristicHasSoManyEntriesAMinuteAndNoMore() {
        var throttle = EntryThrottle()
        let lamp = CharacteristicReference(accessory: UUID(), iid: 11)
        let start = Date()
        func admit(_ seconds: Double) -> Bool {
            let object = JournalObject(id: lamp.accessory, name: "Lamp")
            let value = JournalValue(
                accessory: object,
                service: nil,
                iid: 11,
                type: HAPType.Characteristic.on,
                value: .bool(true)
            )
            let entry = JournalEntry(home: UUID(), time: start + seconds, cause: .accessory, content: .value(value))
            return throttle.admits(entry, about: lamp, isRepeatable: false)
        }
        for _ in 0..<EntryThrottle.entriesPerMinute { #expect(admit(0)) }
        #expect(!admit(59))
        #expect(admit(60))
        #expect(admit(-3_600), "a clock that is set back begins another minute")
    }

    @Test func whatWaitsForTheRecorderIsBoundedAndKeepsTheState() {
        var intake = JournalIntake()
        let now = ContinuousClock.now
        let update = ReachabilityUpdate(home: UUID(), accessory: UUID(), isReachable: true)
        let many = Array(repeating: update, count: JournalIntake.limit - 2)
        let starts = [[update], many, [update], [update]].map { intake.add(.reachability($0), at: Date(), now) }
        #expect(starts == [.here, .now, nil, nil])
        for _ in 0..<3 {
            let request = StoredRequest(entries: [], removedHome: nil, state: HomeDatabase.State())
            _ = intake.add(.stored(request), at: Date(), now)
        }
        let (items, dropped, _) = intake.take(now, isFollowed: false)
        #expect(items.count == 4)
        #expect(dropped == 4)
        guard case .state? = items.last else {
            Issue.record("The state is missing.")
            return
        }
    }

    @Test func theFirstOfAMomentIsRecordedAtOnceAndTheRestTogether() {
        var intake = JournalIntake()
        let update = ReachabilityUpdate(home: UUID(), accessory: UUID(), isReachable: true)
        func add(_ count: Int, at time: ContinuousClock.Instant) -> JournalIntake.Start? {
            intake.add(.reachability(Array(repeating: update, count: count)), at: Date(), time)
        }
        let start = ContinuousClock.now
        #expect(add(JournalIntake.few, at: start) == .here)
        _ = intake.take(start, isFollowed: false)
        let soon = start + JournalIntake.moment - .nanoseconds(1)
        #expect(add(1, at: soon) == .later)
        #expect(add(1, at: soon) == nil)
        #expect(add(JournalIntake.promptly, at: soon) == .now)
        #expect(intake.take(soon, isFollowed: false).items.count == 3)
        let next = soon + JournalIntake.moment
        #expect(add(JournalIntake.few + 1, at: next) == .later, "much isn't recorded by the thread that publishes it")
        _ = intake.take(next, isFollowed: false)
        #expect(add(1, at: next + JournalIntake.moment) == .here)
    }

    @Test func whatAccessoriesReportWaitsUntilSomethingElseHappensOrSomebodyFollows() {
        var intake = JournalIntake()
        func add(by cause: Cause, at time: ContinuousClock.Instant) -> JournalIntake.Start? {
            let reference = CharacteristicReference(accessory: UUID(), iid: 11)
            let update = ValueUpdate(home: UUID(), characteristic: reference, value: .bool(true))
            let origin = Origin(cause: cause, caller: nil)
            let activity = ValueActivity(update: update, arrival: .next(), origin: origin)
            return intake.add(.values([activity]), at: Date(), time)
        }
        let start = ContinuousClock.now
        #expect(add(by: .accessory, at: start) == .report(timer: intake.timer))
        #expect(add(by: .accessory, at: start) == nil)
        #expect(add(by: .app, at: start) == .here)
        #expect(add(by: .accessory, at: start) == nil, "all of it is recorded together")
        let former = intake.timer
        let taken = intake.take(start + .seconds(3), isFollowed: false)
        #expect(taken.items.count == 4)
        #expect(taken.wait == .seconds(3))
        #expect(intake.take(start + .seconds(4), isFollowed: false).wait == .zero)
        #expect(intake.timer != former, "the reports' timer does nothing any more")

        let later = start + JournalIntake.moment
        #expect(add(by: .accessory, at: later) == .report(timer: intake.timer))
        _ = intake.take(later, isFollowed: true)
        #expect(add(by: .accessory, at: later + JournalIntake.moment) == .here)
        _ = intake.take(later + JournalIntake.moment, isFollowed: false)
        #expect(add(by: .accessory, at: later + JournalIntake.moment) == .report(timer: intake.timer))
        for _ in 0..<JournalIntake.promptly - 2 { #expect(add(by: .accessory, at: later) == nil) }
        #expect(add(by: .accessory, at: later) == .now)
    }

    @Test func aHubWithADamagedJournalStartsAndBeginsAnother() async throws {
        try await withDataFolder { folder in
            let home = try await withHub(at: folder) { hub in
                try await RecordingHubClient(to: hub).call(HubMethods.addHome, AddHome(name: "Villa")).id
            }
            let file = folder.appending(path: "hub").appending(path: JournalFile.name)
            try Data(repeating: 0x55, count: 4_096).write(to: file)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
            try await withHub(at: folder) { hub in
                let client = try await RecordingHubClient(to: hub, app: "hearth")
                _ = try await client.call(HubMethods.addRoom, InHome(home, AddRoom(name: "Attic")))
                let query = JournalQuery(home: home, limit: 10)
                #expect(try await client.call(HubMethods.journal, query).entries.count == 1)
            }
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: "hub").path)
            #expect(names.filter { $0.hasPrefix("journal.sqlite.damaged-") }.count == 1)
        }
    }

    @Test func theJournalOutlivesTheHubAndIsReadFromOneHomeOnly() async throws {
        try await withDataFolder { folder in
            let home = try await withHub(at: folder) { hub in
                let client = try await RecordingHubClient(to: hub)
                _ = try await client.call(HubMethods.addHome, AddHome(name: "Cabin"))
                return try await client.call(HubMethods.addHome, AddHome(name: "Villa")).id
            }
            try await withHub(at: folder) { hub in
                let client = try await RecordingHubClient(to: hub)
                let entries = try await client.call(HubMethods.journal, JournalQuery(home: home, limit: 10)).entries
                #expect(
                    entries.map(\.content)
                        == [.change(.homeCreated, objects: [JournalObject(id: home, name: "Villa")])]
                )
            }
        }
    }

    // MARK: With an accessory

    @Test func aLampIsExplainedByWhoeverSwitchedItLast() async throws {
        try await withDataFolder { folder in
            let name = SimulatedAccessories.newName("Lamp")
            let text = """
                {"format": 1, "name": "\(name)", "serialNumber": "\(UUID().uuidString)", "category": "Lightbulb", "services": [
                  {"type": "Lightbulb", "characteristics": {"On": false, "Brightness": 50}}]}
                """
            try await SimulatedAccessories.with([text], in: folder) { accessories in
                try await withHub(at: folder) { hub in
                    let client = try await RecordingHubClient(to: hub, app: "hearth")
                    let home = try await client.call(HubMethods.addHome, AddHome(name: "Villa")).id
                    let lamp = try #require(accessories.ready.first)
                    let addition = AddAccessory(
                        home: home,
                        deviceID: lamp.deviceID.description,
                        code: lamp.setupCode.dashed
                    )
                    let id = try #require(try await client.call(HubMethods.addAccessory, addition).ids.first)
                    let view = try await client.until { $0.reachability[id]?.isReachable == true }
                    let record = try #require(view.homes[home]?.accessories[id: id])
                    let shapes = view.homes[home].map { $0.services(of: record).flatMap(\.characteristics) } ?? []
                    let on = try #require(shapes.first { $0.type == HAPType.Characteristic.on })
                    let brightness = try #require(shapes.first { $0.type == HAPType.Characteristic.brightness })

                    func write(_ shape: CharacteristicShape, _ value: CharacteristicValue) async throws {
                        let reference = CharacteristicReference(accessory: id, iid: shape.iid)
                        let write = WriteCharacteristics.Write(characteristic: reference, value: value)
                        let parameters = WriteCharacteristics(home: home, writes: [write])
                        _ = try await client.call(HubMethods.write, parameters)
                    }
                    func explain() async throws -> [JournalEntry] {
                        try await client.call(HubMethods.explain, ItemTarget(home: home, id: id)).entries
                    }
                    #expect(try await explain().isEmpty)

                    try await write(on, .bool(true))
                    let first = try #require(try await explain().first)
                    #expect(first.person == "Tester" && first.app == "hearth" && first.cause == .person)
                    #expect(first.journalValue?.value == .bool(true) && first.journalValue?.previous == .bool(false))

                    // The same again is recorded, but the lamp went on before.
                    try await write(on, .bool(true))
                    #expect(try await explain() == [first])
                    let query = JournalQuery(home: home, about: id, limit: 2)
                    let repeated = try await client.call(HubMethods.journal, query).entries
                    #expect(repeated.map { $0.journalValue?.isChange } == [false, true])

                    try await write(brightness, .integer(200))
                    guard case .failedWrite(let value, let error)? = try await explain().first?.content else {
                        Issue.record("\(try await explain())")
                        return
                    }
                    #expect(value.value == .integer(200) && error.code == .valueAboveMaximum)
                    #expect(error.parts?.value == 200 && error.parts?.maximum == 100)
                    let subjects: [ErrorParts.Subject] = [
                        .init(kind: "accessory", id: id, name: name),
                        .init(kind: "characteristic", id: id, iid: brightness.iid, name: "Brightness"),
                    ]
                    #expect(error.parts?.subjects == subjects)

                    // Somebody operates the lamp itself.
                    try await accessories.simulator.set(.bool(false), of: accessories.simulator.find(name, "On"))
                    var outside = try await explain().first
                    for _ in 0..<6_000 where outside?.cause != .accessory {
                        try await Task.sleep(for: .milliseconds(10))
                        outside = try await explain().first
                    }
                    #expect(outside?.cause == .accessory && outside?.person == nil && outside?.app == nil)
                    #expect(outside?.journalValue?.value == .bool(false))
                }
            }
        }
    }
}

extension JournalContent {
    /// Returns whether it is a change with a verb.
    fileprivate func isSync(_ verb: Verb) -> Bool {
        if case .change(verb, _) = self { true } else { false }
    }
}
