import AccessorySimulator
import Foundation
import HAP
import HAPCatalog
import HAPServer
import HomeHub
import HomeKitTesting
import HomeModel
import HubAPI
import HubClient
import HubServer
import PeerProcess
import RelayAPI
import Testing

@testable import HomeAgent
@testable import Relay

/// A home that is controlled from away: a real hub with a simulated lamp, a real relay, and the agents of devices.
@Suite struct AwayTests {
    /// A lamp of the home's, as an app knows it.
    struct Lamp {
        let accessory: TestAccessory
        let home: UUID
        let on: CharacteristicReference

        init(_ accessory: TestAccessory, _ state: HubState) throws {
            self.accessory = accessory
            let home = try #require(state.homes.values.first)
            let record = try #require(home.accessories.first)
            let shape = home.services(of: record).flatMap(\.characteristics).first {
                $0.type == HAPType.Characteristic.on
            }
            self.home = home.id
            on = CharacteristicReference(accessory: record.id, iid: try #require(shape).iid)
        }

        func write(_ isOn: Bool) -> WriteCharacteristics {
            WriteCharacteristics(home: home, writes: [.init(characteristic: on, value: .bool(isOn))])
        }
    }

    private static func isRelayed(_ device: AwayLab.Device) -> Bool { device.ways.current(device.hub) == .away }

    /// Switches the lamp, and waits until the accessory itself says so.
    private static func set(_ lamp: Lamp, _ isOn: Bool, by app: RecordingClient, _ lab: AwayLab) async throws {
        let results = try await app.call(HubMethods.write, lamp.write(isOn))
        #expect(results.outcomes.allSatisfy { $0.error == nil }, "\(results.outcomes)")
        try await lab.home.until("the lamp is \(isOn ? "on" : "off")") {
            try await lamp.accessory[\.on] == .bool(isOn)
        }
    }

    /// Switches the lamp on a session of its own, as soon as the hub is reached.
    static func untilSet(_ lamp: Lamp, _ isOn: Bool, by device: AwayLab.Device, _ lab: AwayLab) async throws {
        let app = device.app()
        defer { app.close() }
        try await Wait.until("the hub is reached") { await app.refusal(HubMethods.write, lamp.write(isOn)) == nil }
        try await lab.home.until("the lamp is \(isOn ? "on" : "off")") { try await lamp.accessory[\.on] == .bool(isOn) }
    }

    @Test func aLampIsSwitchedFromAwayAndTheNearWayIsTakenOnceItIsThere() async throws {
        try await AwayLab.run { lab in
            let accessory = try await lab.home.add(.lamp("Desk Lamp"))
            let device = try await lab.join()
            let app = device.app()
            try await app.until { !$0.homes.isEmpty && $0.awayHomes.isEmpty }
            let lamp = try Lamp(accessory, app.state)
            try await Self.set(lamp, true, by: app, lab)
            #expect(!Self.isRelayed(device))

            // The device leaves the network: the relay leads to the hub.
            await lab.leaveNetwork()
            try await Wait.until("the device is away") { Self.isRelayed(device) }
            try await app.until { !$0.homes.isEmpty && $0.awayHomes.isEmpty }
            try await Self.set(lamp, false, by: app, lab)
            #expect(lab.relay.pipes > 0)
            // Changes of others come through the pipe.
            _ = try await lab.owner.call(HubMethods.renameHome, RenameHome(home: lamp.home, name: "Hut"))
            try await app.until { $0.account.home(lamp.home)?.name == "Hut" }

            // The journal names the person, the device, and that they were away.
            let page = try await lab.owner.call(HubMethods.journal, JournalQuery(home: lamp.home, limit: 100))
            let entry = try #require(
                page.entries.first { entry in
                    if case .value(let value) = entry.content { value.value == .bool(false) } else { false }
                }
            )
            #expect(entry.way == .away && entry.device == "Pixel 9" && entry.person != nil)

            // The network is there again: sessions move without a loss.
            let changes = app.changes.count
            try await lab.startNetwork()
            try await Wait.until("the port is open") { await lab.network?.port != nil }
            try await lab.announce(to: device)
            try await Wait.until("the device is near") { !Self.isRelayed(device) }
            try await Wait.until("no pipe is left") { lab.relay.pipes == 0 }
            try await Self.set(lamp, true, by: app, lab)
            _ = try await lab.owner.call(HubMethods.renameHome, RenameHome(home: lamp.home, name: "Villa"))
            try await app.until { $0.account.home(lamp.home)?.name == "Villa" }
            // One change was made since, and told once.
            #expect(app.changes.count == changes + 1)
        }
    }

    @Test func aSessionWhoseHubFallsSilentGoesOnThroughTheRelayWithoutAHeartbeat() async throws {
        try await AwayLab.run(heartbeat: .seconds(86_400)) { lab in
            let way = try await HoldingProxy.start()
            let accessory = try await lab.home.add(.lamp("Desk Lamp"))
            let device = try await lab.join(through: way)
            let app = device.app()
            try await app.until { !$0.homes.isEmpty && $0.awayHomes.isEmpty }
            let lamp = try Lamp(accessory, app.state)
            try await Self.set(lamp, true, by: app, lab)
            #expect(!Self.isRelayed(device))

            // The network carries nothing any more, which nobody says. Nothing answers new connections there.
            way.lead(to: 1)
            await way.silence()
            try await Wait.until("the lamp is switched") {
                await app.refusal(HubMethods.write, lamp.write(false)) == nil
            }
            #expect(Self.isRelayed(device))
            try await lab.home.until("the lamp is off") { try await lamp.accessory[\.on] == .bool(false) }
            await way.stop()
        }
    }

    @Test func aHubThatKeepsFeedsAtARelayIsReachedThroughIt() async throws {
        try await AwayLab.run(keepsFeeds: true) { lab in
            let accessory = try await lab.home.add(.lamp("Desk Lamp"))
            let (device, owner) = (try await lab.join(), lab.command())
            let home = try #require(try await owner.until { !$0.homes.isEmpty }.homes.keys.first)
            let ben = try await lab.owner.call(HubMethods.addUser, AddHomeUser(home: home, name: "Ben", role: .guest))
                .id
            let invitation = CreateInvitation(user: ItemTarget(home: home, id: ben), kind: .code)
            let code = try await lab.owner.call(HubMethods.createInvitation, invitation).code
            let phone = try await lab.join("Ben's phone", with: code)
            let (app, guest) = (device.app(), phone.app())
            for client in [app, guest] { try await client.until { !$0.homes.isEmpty && $0.awayHomes.isEmpty } }
            let lamp = try Lamp(accessory, app.state)
            for agent in [device.agent, phone.agent] {
                try await Wait.until("the device knows where its feed is") {
                    agent.hubs.first?.view.feed?.description != nil
                }
            }

            await lab.leaveNetwork()
            try await Wait.until("the device is away") { Self.isRelayed(device) }
            try await app.until { $0.awayHomes.isEmpty }
            try await Self.set(lamp, true, by: app, lab)
            // The guest's device has no right to a pipe.
            try await guest.until { $0.awayHomes == [home] }
            try await Wait.until("the device knows why") {
                await guest.refusal(HubMethods.write, lamp.write(false)) == .notHere
            }
            #expect(!Self.isRelayed(phone))

            _ = try await lab.owner.call(HubMethods.setMayBeAway, InHome(home, SetMayBeAway(true, of: ben)))
            try await guest.until { $0.awayHomes.isEmpty }
            try await Self.set(lamp, false, by: guest, lab)
            _ = try await lab.owner.call(HubMethods.setMayBeAway, InHome(home, SetMayBeAway(false, of: ben)))
            try await guest.until { $0.awayHomes == [home] }
            try await Self.set(lamp, true, by: app, lab)

            // Without a relay, nothing leads to the hub.
            _ = try await lab.owner.call(HubMethods.disableSync, Empty())
            try await app.until { $0.awayHomes == [home] }
            try await Wait.until("no pipe is left") { lab.relay.pipes == 0 }
            #expect(try await accessory[\.on] == true)
        }
    }

    @Test func aLockIsOpenedFromAwayAndTheJournalSaysByWhom() async throws {
        try await AwayLab.run { lab in
            let lock = try await lab.home.add(.lock("Front Door"))
            let device = try await lab.join()
            await lab.leaveNetwork()
            let app = device.app()
            try await app.until { !$0.homes.isEmpty && $0.awayHomes.isEmpty }
            let home = try #require(app.state.homes.values.first)
            let record = try #require(home.accessories.first)
            let target = try #require(
                home.services(of: record).flatMap(\.characteristics).first {
                    $0.type == HAPType.Characteristic.lockTargetState
                }
            )
            let write = WriteCharacteristics.Write(
                characteristic: CharacteristicReference(accessory: record.id, iid: target.iid),
                value: .integer(0)
            )
            let results = try await app.call(HubMethods.write, WriteCharacteristics(home: home.id, writes: [write]))
            #expect(results.outcomes.allSatisfy { $0.error == nil }, "\(results.outcomes)")
            #expect(try await lock["LockTargetState"] == .integer(0))
            let page = try await lab.owner.call(HubMethods.journal, JournalQuery(home: home.id, limit: 100))
            let entry = try #require(
                page.entries.first { entry in
                    if case .value = entry.content { entry.way == .away } else { false }
                }
            )
            #expect(entry.device == "Pixel 9" && entry.person != nil)
        }
    }

    @Test func aDeviceThatIsAwayGoesOnThroughTheRelayThatTheHubMovesTo() async throws {
        try await AwayLab.run(keepsFeeds: true) { lab in
            let accessory = try await lab.home.add(.lamp("Desk Lamp"))
            let device = try await lab.join()
            let app = device.app()
            try await app.until { !$0.homes.isEmpty && $0.awayHomes.isEmpty }
            let lamp = try Lamp(accessory, app.state)
            try await Wait.until("the device knows where its feed is") {
                device.agent.hubs.first?.view.feed?.description != nil
            }
            await lab.leaveNetwork()
            try await Wait.until("the device is away") { Self.isRelayed(device) }
            try await Self.untilSet(lamp, true, by: device, lab)

            try await lab.withSecondRelay { second in
                // What is open at the first relay ends, and the feed there says where to go on.
                _ = try await lab.owner.call(HubMethods.enableSync, EnableSync(relay: second.url))
                try await Wait.until("the second relay leads to the hub") { second.pipes > 0 }
                try await Wait.until("no pipe is left at the first") { lab.relay.pipes == 0 }
                try await Self.untilSet(lamp, false, by: device, lab)
                // Without a relay, nothing leads to the hub.
                _ = try await lab.owner.call(HubMethods.disableSync, Empty())
                try await Wait.until("no pipe is left at the second") { second.pipes == 0 }
                try await app.until { $0.awayHomes == [lamp.home] }
            }
        }
    }

    @Test func sessionsResumeOnceTheRelayIsBack() async throws {
        try await AwayLab.run { lab in
            let accessory = try await lab.home.add(.lamp("Desk Lamp"))
            let device = try await lab.join()
            await lab.leaveNetwork()
            let app = device.app()
            try await app.until { !$0.homes.isEmpty && $0.awayHomes.isEmpty }
            let lamp = try Lamp(accessory, app.state)
            try await Self.set(lamp, true, by: app, lab)
            try await lab.restartRelay {
                try await app.until { $0.awayHomes == [lamp.home] }
                // Without a way, what needs the hub fails at once.
                #expect(await app.refusal(HubMethods.write, lamp.write(false)) == .hubAway)
                _ = try await lab.owner.call(HubMethods.renameHome, RenameHome(home: lamp.home, name: "Hut"))
            }
            try await app.until { $0.awayHomes.isEmpty && $0.account.home(lamp.home)?.name == "Hut" }
            try await Self.set(lamp, false, by: app, lab)
        }
    }

    @Test func aCommandThatIsHeldOnItsWayIsNotCarriedOut() async throws {
        try await AwayLab.run { lab in
            let accessory = try await lab.home.add(.lamp("Desk Lamp"))
            let (proxy, device) = (lab.proxy, try await lab.join(at: lab.proxy.url))
            await lab.leaveNetwork()
            let app = device.app()
            try await app.until { !$0.homes.isEmpty && $0.awayHomes.isEmpty }
            let lamp = try Lamp(accessory, app.state)
            try await Self.set(lamp, false, by: app, lab)

            // Somebody on the way holds the command for longer than it may take, and then delivers it.
            await proxy.hold(true)
            async let held = app.refusal(HubMethods.write, lamp.write(true))
            try await Task.sleep(for: .milliseconds(HubProtocol.longestValidity + 1_000))
            await proxy.hold(false)
            #expect(await held == .expired)
            try await app.until { $0.awayHomes.isEmpty }
            // The next one is in time, and shows that the first one wasn't done before it.
            #expect(try await accessory[\.on] == false)
            try await Self.set(lamp, true, by: app, lab)
            let page = try await lab.owner.call(HubMethods.journal, JournalQuery(home: lamp.home, limit: 100))
            let switched = page.entries.filter { entry in
                if case .value(let value) = entry.content { value.value == .bool(true) } else { false }
            }
            #expect(switched.count == 1)
        }
    }

    @Test func aCommandWhoseReplyIsLostIsNotDoneTwice() async throws {
        try await AwayLab.run { lab in
            let accessory = try await lab.home.add(.lamp("Desk Lamp"))
            let (proxy, device) = (lab.proxy, try await lab.join(at: lab.proxy.url))
            await lab.leaveNetwork()
            let app = device.app()
            try await app.until { !$0.homes.isEmpty && $0.awayHomes.isEmpty }
            let lamp = try Lamp(accessory, app.state)
            try await Self.set(lamp, false, by: app, lab)

            // The hub does it, and the answer is lost on its way.
            await proxy.holdAnswers()
            async let refusal = app.refusal(HubMethods.write, lamp.write(true))
            try await lab.home.until("the lamp is on") { try await accessory[\.on] == true }
            // Somebody at home switches it off meanwhile: done again, the command would show.
            let owner = lab.command()
            _ = try await owner.call(HubMethods.write, lamp.write(false))
            try await lab.home.until("the lamp is off") { try await accessory[\.on] == false }
            proxy.cut()
            // The app asks again under the same key, which waits for the hub, and is told what was done.
            #expect(await refusal == nil)
            try await app.until { $0.awayHomes.isEmpty }
            _ = try await app.call(HubMethods.read, ReadCharacteristics(home: lamp.home, characteristics: [lamp.on]))
            #expect(try await accessory[\.on] == false)
            let page = try await lab.owner.call(HubMethods.journal, JournalQuery(home: lamp.home, limit: 100))
            let switched = page.entries.filter { entry in
                if case .value(let value) = entry.content { value.value == .bool(true) } else { false }
            }
            #expect(switched.count == 1 && switched.first?.way == .away)
        }
    }

    @Test func whereverTheWayIsCutACommandIsDoneOnceAndTheDeviceGoesOn() async throws {
        try await AwayLab.run(answerTime: .seconds(1)) { lab in
            let accessory = try await lab.home.add(.lamp("Desk Lamp"))
            let (proxy, device) = (lab.proxy, try await lab.join(at: lab.proxy.url))
            await lab.leaveNetwork()
            let app = device.app()
            defer { app.close() }
            try await app.until { !$0.homes.isEmpty && $0.awayHomes.isEmpty }
            let lamp = try Lamp(accessory, app.state)
            var (steps, isCut) = (0, true)
            while isCut, steps < 200 {
                // Each way begins anew: connecting and proving keys have steps, too.
                proxy.cut(after: steps)
                proxy.cut()
                try await app.until { $0.awayHomes.isEmpty }
                var code: HubError.Code?
                repeat {
                    code = await app.refusal(HubMethods.write, lamp.write(true))
                    // A device that is out of reach does nothing.
                    if code == .hubAway { try await app.until { $0.awayHomes.isEmpty } }
                } while code == .hubAway
                #expect(code == nil || code == .outcomeUnknown || code == .connectionLost, "\(steps): \(code as Any)")
                try await lab.home.until("the lamp is on after \(steps) steps") { try await accessory[\.on] == true }
                isCut = proxy.stopCutting()
                try await Self.untilSet(lamp, false, by: device, lab)
                steps += 1
                let page = try await lab.owner.call(HubMethods.journal, JournalQuery(home: lamp.home, limit: 1_000))
                let switched = page.entries.count { entry in
                    if case .value(let value) = entry.content { value.value == .bool(true) } else { false }
                }
                #expect(switched == steps, "the lamp was switched on once each time, also after \(steps - 1) steps")
            }
            #expect(steps > 10 && !isCut, "\(steps) steps")
        }
    }

    @Test func peopleReadThatAnOutcomeIsNotKnownAndLaterWhatCameOfIt() async throws {
        try await AwayLab.run(answerTime: .seconds(1)) { lab in
            let accessory = try await lab.home.add(.lamp("Desk Lamp"))
            let (proxy, device) = (lab.proxy, try await lab.join(at: lab.proxy.url))
            await lab.leaveNetwork()
            let app = device.app()
            try await app.until { !$0.homes.isEmpty && $0.awayHomes.isEmpty }
            let lamp = try Lamp(accessory, app.state)

            // The hub does it, and the answer doesn't come.
            await proxy.holdAnswers()
            async let refusal = app.refusal(HubMethods.write, lamp.write(true))
            try await lab.home.until("the lamp is on") { try await accessory[\.on] == true }
            #expect(await refusal == .outcomeUnknown)
            proxy.cut()
            let done = try await Self.notice(device)
            #expect(done.contains("“Desk Lamp”") && done.hasSuffix("It was done."), "\(done)")

            // The command itself doesn't come to the hub, before it is too late for it.
            try await app.until { $0.awayHomes.isEmpty }
            await proxy.hold(true)
            #expect(await app.refusal(HubMethods.write, lamp.write(false)) == .outcomeUnknown)
            try await Task.sleep(for: .milliseconds(HubProtocol.longestValidity + 500))
            proxy.cut()
            await proxy.hold(false)
            let late = try await Self.notice(device)
            #expect(late.contains("It wasn't done."), "\(late)")
            #expect(try await accessory[\.on] == true)
            let page = try await lab.owner.call(HubMethods.journal, JournalQuery(home: lamp.home, limit: 100))
            let switched = page.entries.filter { if case .value = $0.content { $0.way == .away } else { false } }
            #expect(switched.count == 1)
        }
    }

    @Test func aCommandWithoutAnOutcomeIsAskedAboutAlsoAfterTheAgentHasStartedAgain() async throws {
        try await AwayLab.run(answerTime: .seconds(1)) { lab in
            let accessory = try await lab.home.add(.lamp("Desk Lamp"))
            let (proxy, device) = (lab.proxy, try await lab.join(at: lab.proxy.url))
            await lab.leaveNetwork()
            let app = device.app()
            try await app.until { !$0.homes.isEmpty && $0.awayHomes.isEmpty }
            let lamp = try Lamp(accessory, app.state)
            await proxy.holdAnswers()
            async let refusal = app.refusal(HubMethods.write, lamp.write(true))
            try await lab.home.until("the lamp is on") { try await accessory[\.on] == true }
            #expect(await refusal == .outcomeUnknown)
            app.close()
            try await Wait.until("it is stored") { device.visitor.folder.lostCommands().map(\.isTold) == [true] }
            proxy.cut()
            let again = try lab.restartAgent(of: device, at: proxy.url)
            let done = try await Self.notice(again)
            #expect(done.contains("“Desk Lamp”") && done.hasSuffix("It was done."), "\(done)")
            try await Wait.until("nothing is left to ask") { again.visitor.folder.lostCommands().isEmpty }
            let page = try await lab.owner.call(HubMethods.journal, JournalQuery(home: lamp.home, limit: 100))
            let switched = page.entries.filter { if case .value = $0.content { $0.way == .away } else { false } }
            #expect(switched.count == 1)
        }
    }

    @Test func anAppIsToldThatTheDeviceHasTooManyConnectionsThroughTheRelay() async throws {
        try await AwayLab.run { lab in
            let accessory = try await lab.home.add(.lamp("Desk Lamp"))
            let device = try await lab.join()
            await lab.leaveNetwork()
            // The agent has a pipe of its own.
            let apps = (1..<HouseQuota.home.pipesPerFeed).map { _ in device.app() }
            for app in apps { try await app.until { !$0.homes.isEmpty && $0.awayHomes.isEmpty } }
            let lamp = try Lamp(accessory, apps[0].state)
            try await Self.set(lamp, true, by: apps[0], lab)
            let late = device.app()
            try await late.until { $0.awayHomes == [lamp.home] }
            do throws(HubError) {
                _ = try await late.call(HubMethods.write, lamp.write(false))
                Issue.record("There was a pipe left.")
            } catch {
                #expect(error.code == .relayFailed && error.reason.contains("too many connections"), "\(error)")
            }
            // The others go on, and the app as soon as one of them has ended.
            try await Self.set(lamp, false, by: apps[0], lab)
            apps[1].close()
            try await Wait.until("the app has a pipe") { await late.refusal(HubMethods.write, lamp.write(true)) == nil }
            #expect(late.state.awayHomes.isEmpty)
        }
    }

    /// An accessory that refuses a write of a characteristic that wasn't prepared.
    private static func timed(_ description: AccessoryDescription, _ type: HAPType) -> AccessoryDescription {
        var description = description
        for (index, accessory) in description.accessories.enumerated() {
            for (service, hosted) in accessory.services.enumerated() {
                for (place, characteristic) in hosted.characteristics.enumerated() where characteristic.type == type {
                    description.accessories[index].services[service].characteristics[place].permissions
                        .insert(.timedWrite)
                }
            }
        }
        return description
    }

    @Test func aHomeIsControlledFromAwayThroughARelayWhoseClockIsADayAhead() async throws {
        try await AwayLab.run { lab in
            lab.relayAhead.change { $0 = 86_400_000 }
            let accessory = try await lab.home.add(.lamp("Desk Lamp"))
            let device = try await lab.join()
            await lab.leaveNetwork()
            let app = device.app()
            try await app.until { !$0.homes.isEmpty && $0.awayHomes.isEmpty }
            // Until when a command is valid depends on no time of day.
            try await Self.set(try Lamp(accessory, app.state), true, by: app, lab)
        }
    }

    @Test func aLockAndADoorAreOpenedFromAwayByTimedWrites() async throws {
        try await AwayLab.run { lab in
            let kinds: [(AccessoryDescription, String, HAPType)] = [
                (.lock("Front Door"), "LockTargetState", .Characteristic.lockTargetState),
                (.garageDoor("Garage"), "TargetDoorState", .Characteristic.targetDoorState),
            ]
            var accessories: [TestAccessory] = []
            for (description, _, type) in kinds {
                accessories.append(try await lab.home.add(Self.timed(description, type)))
            }
            let device = try await lab.join()
            await lab.leaveNetwork()
            let app = device.app()
            try await app.until { $0.awayHomes.isEmpty && $0.homes.values.first?.accessories.count == 2 }
            let home = try #require(app.state.homes.values.first)
            for ((_, name, type), accessory) in zip(kinds, accessories) {
                let record = try #require(home.accessories.first { $0.name == accessory.name })
                let target = try #require(
                    home.services(of: record).flatMap(\.characteristics).first { $0.type == type }
                )
                let write = WriteCharacteristics.Write(
                    characteristic: CharacteristicReference(accessory: record.id, iid: target.iid),
                    value: .integer(0)
                )
                let results = try await app.call(HubMethods.write, WriteCharacteristics(home: home.id, writes: [write]))
                #expect(results.outcomes.allSatisfy { $0.error == nil }, "\(results.outcomes)")
                #expect(try await accessory[name] == .integer(0))
                let page = try await lab.owner.call(HubMethods.journal, JournalQuery(home: home.id, limit: 100))
                let entry = page.entries.first { entry in
                    guard case .value(let value) = entry.content else { return false }
                    return value.type == type && value.value == .integer(0) && entry.way == .away
                }
                #expect(entry?.device == "Pixel 9" && entry?.person != nil)
            }
        }
    }

    /// Waits for what the agent has to tell its person.
    private static func notice(_ device: AwayLab.Device) async throws -> String {
        let command = RecordingClient(app: "hearth", retries: true) { [agent = device.agent] in
            AcceptorTransport(to: agent)
        }
        defer { command.close() }
        let notices = try await Wait.value {
            !$0.isEmpty
        } of: {
            // A session ends while the hub comes and goes.
            let welcomed = command.welcomeNotices
            return welcomed.isEmpty ? (try? await command.call(AgentMethods.hubs, Empty()))?.notices ?? [] : welcomed
        }
        return try #require(notices.first)
    }

    @Test func aConnectionThatLeadsNowhereIsNoticedOnceSomebodyWantsTheHub() async throws {
        try await AwayLab.run { lab in
            let accessory = try await lab.home.add(.lamp("Desk Lamp"))
            let (proxy, device) = (lab.proxy, try await lab.join(at: lab.proxy.url))
            await lab.leaveNetwork()
            let first = device.app()
            try await first.until { !$0.homes.isEmpty && $0.awayHomes.isEmpty }
            let lamp = try Lamp(accessory, first.state)
            try await Self.set(lamp, true, by: first, lab)

            // The device is on another network, and nobody ends the connections of the one before.
            await proxy.silence()
            let second = device.app()
            try await second.until { $0.awayHomes == [lamp.home] }
            // Long before the silence of the relay would be noticed.
            try await Wait.until("the hub is reached", within: .seconds(RelayLimits.silenceSeconds * 2 / 3)) {
                second.state.awayHomes.isEmpty
            }
            try await Self.set(lamp, false, by: second, lab)
        }
    }

    @Test func aGuestIsLetInFromAwayOnlyWhileItIsAllowed() async throws {
        try await AwayLab.run { lab in
            let accessory = try await lab.home.add(.lamp("Desk Lamp"))
            let owner = lab.command()
            let home = try #require(try await owner.until { !$0.homes.isEmpty }.homes.keys.first)
            let ben = try await lab.owner.call(HubMethods.addUser, AddHomeUser(home: home, name: "Ben", role: .guest))
                .id
            let invitation = CreateInvitation(user: ItemTarget(home: home, id: ben), kind: .code)
            let code = try await lab.owner.call(HubMethods.createInvitation, invitation).code
            let device = try await lab.join("Ben's phone", with: code)
            let app = device.app()
            try await app.until { !$0.homes.isEmpty && $0.awayHomes.isEmpty }
            let lamp = try Lamp(accessory, app.state)
            try await Self.set(lamp, true, by: app, lab)

            // Guests may use the home only at home, unless somebody allows more.
            await lab.leaveNetwork()
            try await app.until { $0.awayHomes == [lamp.home] }
            try await Wait.until("the device knows why") {
                await app.refusal(HubMethods.write, lamp.write(false)) == .notHere
            }
            _ = try await lab.owner.call(HubMethods.setMayBeAway, InHome(home, SetMayBeAway(true, of: ben)))
            try await app.until { $0.awayHomes.isEmpty }
            try await Self.set(lamp, false, by: app, lab)

            // Switched off, it ends what is open.
            _ = try await lab.owner.call(HubMethods.setMayBeAway, InHome(home, SetMayBeAway(false, of: ben)))
            try await app.until { $0.awayHomes == [lamp.home] }
            #expect(try await lamp.accessory[\.on] == false)
            // The home itself stays as it was seen.
            #expect(app.state.homes[lamp.home] != nil)
        }
    }
}
