import Foundation
import HAP
import HomeIdentity
import HomeModel
import HomeStore
import HubAPI
import PeerProcess
import Synchronization
import class HomeKitTesting.ManualClock
import Testing

@testable import HomeHub

/// Users' own devices: how they join, what they may do, and how they are removed.
struct DeviceTests {
    /// A device with a key, as the listener on the network knows it.
    private struct Laptop {
        let key = IdentityKey()
        var name = "Laptop"

        func join(_ hub: HomeHub, with id: UUID, digits: UInt32 = 482_913) async throws -> JoinReply {
            try await hub.door.join(
                JoinRequest(name: name),
                by: key.publicKey,
                with: InvitationID(id),
                digits: try #require(CheckDigits(digits))
            )
        }

        func failure(_ hub: HomeHub, with id: UUID) async -> JoinFailure.Code? {
            do {
                _ = try await join(hub, with: id)
                return nil
            } catch {
                return (error as? JoinFailure)?.code
            }
        }

        func client(_ hub: HomeHub, app: String = "hearth") async throws -> RecordingHubClient {
            try await RecordingHubClient(to: hub, with: try hub.authority(of: key.publicKey), app: app)
        }

        /// Connects as the device's agent.
        func agent(_ hub: HomeHub) async throws -> RecordingHubClient {
            let introduction = AgentIntroduction(version: "1", platform: "linux")
            let authority = try hub.authority(of: key.publicKey)
            return try await RecordingHubClient(to: hub, with: authority, app: "hearth.agent", agent: introduction)
        }

        func refusal(_ hub: HomeHub) -> HubError.Code? {
            do throws(HubError) {
                _ = try hub.authority(of: key.publicKey)
                return nil
            } catch {
                return error.code
            }
        }
    }

    private func withNetwork(_ body: (HomeHub, RecordingHubClient) async throws -> Void) async throws {
        try await withHub { hub in
            await hub.setNetworkAddresses([try #require(HubAddress(ip: [127, 0, 0, 1], port: 4_711))])
            try await body(hub, try await RecordingHubClient(to: hub, app: "hearth"))
        }
    }

    private func question(at client: RecordingHubClient, _ kind: Question.Kind) async throws -> Question {
        try #require(try await client.until { $0.questions.contains { $0.kind == kind } }.questions.last)
    }

    /// Adds a user to a new home, and returns their device.
    private func guest(_ name: String, in home: UUID, of owner: RecordingHubClient, _ hub: HomeHub) async throws
        -> (id: UUID, laptop: Laptop)
    {
        let person = AddHomeUser(home: home, name: name, role: .guest)
        let id = try await owner.call(HubMethods.addUser, person).id
        let target = ItemTarget(home: home, id: id)
        let invitation = CreateInvitation(user: target, kind: .code)
        let created = try await owner.call(HubMethods.createInvitation, invitation)
        let laptop = Laptop(name: "\(name)'s Laptop")
        #expect(try await laptop.join(hub, with: created.invitation.id).state == .joined)
        return (id, laptop)
    }

    // MARK: Joining

    @Test func aCodeLetsOneDeviceInOnce() async throws {
        try await withNetwork { hub, owner in
            let added = try await owner.call(HubMethods.addDevice, AddDevice(kind: .code))
            #expect(added.code?.count == 10 && added.link == nil)
            #expect(try await hub.door.invitation(nil).id == InvitationID(added.id))
            let laptop = Laptop()
            #expect(hub.door.standing(of: laptop.key.publicKey) == .joining)
            let reply = try await laptop.join(hub, with: added.id)
            #expect(reply.state == .joined && reply.user == hub.owner.user && reply.userName == "Tester")
            #expect(hub.door.standing(of: laptop.key.publicKey) == .device)
            #expect(hub.door.standing(of: IdentityKey().publicKey) == .unknown)
            // The reply may be lost.
            #expect(try await laptop.join(hub, with: added.id) == reply)
            #expect(await Laptop().failure(hub, with: added.id) == .invitationEnded)
            let devices = try await owner.call(HubMethods.devices, Empty()).devices
            #expect(devices.map(\.name) == ["Laptop"] && devices[0].kind == "agent" && devices[0].id == reply.device)
            let client = try await laptop.client(hub)
            let own = try await client.call(HubMethods.devices, Empty()).devices
            #expect(own[0].isCurrent && own[0].isConnected)
        }
    }

    @Test(arguments: [InvitationKind.code, .link])
    func aClockThatIsSetBackMakesNoInvitationLastLonger(kind: InvitationKind) async throws {
        let lifetime = kind == .code ? DeviceLimits.codeLifetime : DeviceLimits.invitationLifetime
        let clock = ManualClock()
        let time = Mutex(Date())
        try await withDataFolder { folder in
            let network = [try #require(HubAddress(ip: [127, 0, 0, 1], port: 4_711))]
            let id = try await withHub(at: folder, now: { time.withLock { $0 } }, clock: clock) { hub async throws in
                await hub.setNetworkAddresses(network)
                let owner = try await RecordingHubClient(to: hub, app: "hearth")
                let first = try await owner.call(HubMethods.addDevice, AddDevice(kind: kind)).id
                time.withLock { $0 -= 10 * 365 * 86_400 }
                clock.move(by: lifetime - .seconds(1))
                #expect(try await hub.door.invitation(InvitationID(first)).id == InvitationID(first))
                clock.move(by: .seconds(1))
                #expect(await Laptop().failure(hub, with: first) == .invitationEnded)
                return try await owner.call(HubMethods.addDevice, AddDevice(kind: kind)).id
            }
            // What passed before a restart can't be known. The time after it is limited all the same.
            time.withLock { $0 -= 10 * 365 * 86_400 }
            try await withHub(at: folder, now: { time.withLock { $0 } }, clock: clock) { hub async throws in
                clock.move(by: lifetime - .seconds(1))
                #expect(try await hub.door.invitation(InvitationID(id)).id == InvitationID(id))
                clock.move(by: .seconds(1))
                #expect(await Laptop().failure(hub, with: id) == .invitationEnded)
            }
        }
    }

    @Test func aClockThatIsSetForwardEndsInvitationsAndNoDevice() async throws {
        let time = Mutex(Date(timeIntervalSince1970: 0))
        try await withDataFolder { folder in
            try await withHub(at: folder, now: { time.withLock { $0 } }) { hub in
                await hub.setNetworkAddresses([try #require(HubAddress(ip: [127, 0, 0, 1], port: 4_711))])
                let owner = try await RecordingHubClient(to: hub, app: "hearth")
                let laptop = Laptop()
                let code = try await owner.call(HubMethods.addDevice, AddDevice(kind: .code)).id
                #expect(try await laptop.join(hub, with: code).state == .joined)
                let link = try await owner.call(HubMethods.addDevice, AddDevice(kind: .link)).id
                time.withLock { $0 = Date() }
                #expect(await Laptop().failure(hub, with: link) == .invitationEnded)
                #expect(laptop.refusal(hub) == nil)
                _ = try await laptop.client(hub).call(HubMethods.devices, Empty())
            }
        }
    }

    @Test func aLinkWaitsUntilSomebodyComparesTheDigits() async throws {
        try await withNetwork { hub, owner in
            _ = try await owner.call(HubMethods.questions, Empty())
            let added = try await owner.call(HubMethods.addDevice, AddDevice(kind: .link))
            let link = try InvitationLink(try #require(added.link?.url))
            #expect(link.leads(to: hub.identity.publicKey) && link.invitation == InvitationID(added.id))
            let laptop = Laptop()
            #expect(try await laptop.join(hub, with: added.id).state == .waiting)
            #expect(laptop.refusal(hub) == .joinPending)
            // Whoever else has read the link comes too late.
            #expect(await Laptop().failure(hub, with: added.id) == .invitationEnded)
            let question = try await question(at: owner, .joining)
            #expect(question.digits == "482913" && question.text.contains("“Laptop”"))
            #expect(question.text.hasSuffix("Does it show 482 913?"))
            let answer = AnswerQuestion(id: question.id, answer: QuestionField.yes)
            _ = try await owner.call(HubMethods.answerQuestion, answer)
            try await until { laptop.refusal(hub) == nil }
            #expect(await Laptop().failure(hub, with: added.id) == .invitationEnded)
        }
    }

    @Test func aLinkStaysOpenForADeviceThatCouldNotBeStored() async throws {
        try await withNetwork { hub, owner in
            let added = try await owner.call(HubMethods.addDevice, AddDevice(kind: .link))
            hub.changes.use(BusyOnce(writer: hub.changes.writer))
            #expect(await Laptop().failure(hub, with: added.id) == .internalError)
            // A device that tries again has another key.
            #expect(try await Laptop().join(hub, with: added.id).state == .waiting)
        }
    }

    @Test func aDeviceWhoseDigitsDifferIsDeclined() async throws {
        try await withNetwork { hub, owner in
            _ = try await owner.call(HubMethods.questions, Empty())
            let added = try await owner.call(HubMethods.addDevice, AddDevice(kind: .link))
            let laptop = Laptop()
            _ = try await laptop.join(hub, with: added.id)
            let question = try await question(at: owner, .joining)
            let answer = AnswerQuestion(id: question.id, answer: QuestionField.no)
            _ = try await owner.call(HubMethods.answerQuestion, answer)
            try await until { laptop.refusal(hub) == .deviceRemoved }
            #expect(await laptop.failure(hub, with: added.id) == .invitationEnded)
            // It is told so when it asks, even if nobody else may want to connect.
            #expect(hub.door.standing(of: laptop.key.publicKey) == .removed)
            #expect(hub.door.standing(of: IdentityKey().publicKey) == .unknown)
            var needs = hub.doorIsNeeded.makeAsyncIterator()
            #expect(await needs.next() == true)
            #expect(try await owner.call(HubMethods.devices, Empty()).devices.isEmpty)
        }
    }

    @Test func aCodeEndsWithTheFifthWrongTryEvenAcrossRestarts() async throws {
        try await withDataFolder { folder in
            var id = UUID()
            try await withHub(at: folder) { hub in
                await hub.setNetworkAddresses([try #require(HubAddress(ip: [127, 0, 0, 1], port: 4_711))])
                let owner = try await RecordingHubClient(to: hub)
                id = try await owner.call(HubMethods.addDevice, AddDevice(kind: .code)).id
                for left in [4, 3] { #expect(try await hub.door.countTry(of: InvitationID(id)) == left) }
            }
            try await withHub(at: folder) { hub async throws in
                for left in [2, 1, 0] { #expect(try await hub.door.countTry(of: InvitationID(id)) == left) }
                #expect(await Laptop().failure(hub, with: id) == .invitationEnded)
                await #expect(throws: JoinFailure.invitationEnded) { try await hub.door.countTry(of: InvitationID(id)) }
            }
        }
    }

    @Test func aWithdrawnInvitationHasEnded() async throws {
        try await withNetwork { hub, owner in
            let home = HomeTarget(home: try await owner.call(HubMethods.addHome, AddHome(name: "Villa")).id)
            let state = try await owner.until { $0.homes[home.home] != nil }
            let viewer = try #require(state.homes[home.home]?.viewer)
            // Nobody else sees it.
            let ben = try await guest("Ben", in: home.home, of: owner, hub)
            for kind in [InvitationKind.code, .link] {
                let added = try await owner.call(HubMethods.addDevice, AddDevice(kind: kind))
                let listed = try await owner.call(HubMethods.invitations, home).invitations
                #expect(listed.map(\.id) == [added.id] && listed.map(\.user) == [viewer])
                #expect(try await ben.laptop.client(hub).call(HubMethods.invitations, home).invitations.isEmpty)
                _ = try await owner.call(HubMethods.removeInvitation, InvitationTarget(id: added.id))
                #expect(await Laptop().failure(hub, with: added.id) == .invitationEnded)
            }
            #expect(await Laptop().failure(hub, with: UUID()) == .invitationEnded)
            #expect(hub.door.standing(of: IdentityKey().publicKey) == .unknown)
        }
    }

    @Test func aHubThatWasKilledAfterADeviceJoinedDoesNotLetAnotherOneIn() async throws {
        try await withDataFolder { folder in
            let laptop = Laptop()
            var id = UUID()
            var secret: [UInt8] = []
            try await withHub(at: folder) { hub in
                await hub.setNetworkAddresses([try #require(HubAddress(ip: [127, 0, 0, 1], port: 4_711))])
                let owner = try await RecordingHubClient(to: hub)
                id = try await owner.call(HubMethods.addDevice, AddDevice(kind: .code)).id
                let key = SecretKey(kind: .invitation, log: nil, name: id.uuidString)
                secret = try #require(try await hub.store.secret(key))
                _ = try await laptop.join(hub, with: id)
                #expect(try await hub.store.secret(key) == nil)
                // The device's record is on the disk, and the secret is still there.
                try await hub.store.setSecret(secret, for: key)
            }
            try await withHub(at: folder) { hub in
                #expect(await Laptop().failure(hub, with: id) == .invitationEnded)
                #expect(laptop.refusal(hub) == nil)
            }
        }
    }

    @Test func anInvitedUserHasJoinedWithTheirFirstDevice() async throws {
        try await withNetwork { hub, owner in
            let home = try await owner.call(HubMethods.addHome, AddHome(name: "Villa")).id
            let person = AddHomeUser(home: home, name: "Ann", role: .guest)
            let ann = try await owner.call(HubMethods.addUser, person).id
            try await owner.until { $0.homes[home]?.users[id: ann]?.isInvited == true }
            let invitation = CreateInvitation(user: ItemTarget(home: home, id: ann), kind: .code)
            let created = try await owner.call(HubMethods.createInvitation, invitation)
            let laptop = Laptop()
            let reply = try await laptop.join(hub, with: created.invitation.id)
            #expect(reply.userName == "Ann")
            try await owner.until { $0.homes[home]?.users[id: ann]?.isInvited == false }
            let client = try await laptop.client(hub)
            #expect(client.view.homes.keys.map(\.self) == [home])
        }
    }

    @Test func aGuestAddsTheirSecondDeviceWithoutAnAdministrator() async throws {
        try await withNetwork { hub, owner in
            let home = try await owner.call(HubMethods.addHome, AddHome(name: "Villa")).id
            let (_, first) = try await guest("Ann", in: home, of: owner, hub)
            let client = try await first.client(hub)
            let added = try await client.call(HubMethods.addDevice, AddDevice(name: "Phone", kind: .code))
            let second = Laptop()
            let reply = try await second.join(hub, with: added.id)
            let devices = try await client.call(HubMethods.devices, Empty()).devices
            #expect(Set(devices.map(\.name)) == ["Phone", "Ann's Laptop"])
            #expect(devices.first { $0.id == reply.device }?.addedBy == "Ann's Laptop")
            #expect(try await owner.call(HubMethods.devices, Empty()).devices.isEmpty)
        }
    }

    @Test func aDeviceVouchesForAnotherOneOfItsUser() async throws {
        try await withNetwork { hub, owner in
            let laptop = Laptop()
            let vouching = VouchForDevice(name: "Tablet", kind: "agent", key: Data(laptop.key.publicKey.bytes))
            let added = try await owner.call(HubMethods.vouchForDevice, vouching)
            #expect(laptop.refusal(hub) == nil)
            #expect(try await owner.refusal(HubMethods.vouchForDevice, vouching) == "alreadyAdded")
            let short = VouchForDevice(name: "Tablet", kind: "agent", key: Data([1]))
            #expect(try await owner.refusal(HubMethods.vouchForDevice, short) == "invalidParameter")
            _ = try await owner.call(HubMethods.renameDevice, RenameDevice(id: added.id, name: "Kitchen Tablet"))
            #expect(try await owner.call(HubMethods.devices, Empty()).devices.map(\.name) == ["Kitchen Tablet"])
        }
    }

    @Test func devicesAreLimited() async throws {
        try await withNetwork { hub, owner in
            let home = try await owner.call(HubMethods.addHome, AddHome(name: "Villa")).id
            let (_, first) = try await guest("Ann", in: home, of: owner, hub)
            let ann = try await first.client(hub)
            func vouching() -> VouchForDevice {
                VouchForDevice(name: "Laptop", kind: "agent", key: Data(IdentityKey().publicKey.bytes))
            }
            for _ in 1..<DeviceLimits.agentsPerUser { _ = try await ann.call(HubMethods.vouchForDevice, vouching()) }
            let tooMany = HubError.Code.tooManyDevices.rawValue
            #expect(try await ann.refusal(HubMethods.vouchForDevice, vouching()) == tooMany)
            #expect(try await ann.refusal(HubMethods.addDevice, AddDevice(kind: .code)) == tooMany)
            for _ in 0..<DeviceLimits.agentsOfOwner { _ = try await owner.call(HubMethods.vouchForDevice, vouching()) }
            #expect(try await owner.refusal(HubMethods.vouchForDevice, vouching()) == tooMany)
            // Names stay different.
            let names = try await owner.call(HubMethods.devices, Empty()).devices.map(\.name)
            #expect(Set(names).count == DeviceLimits.agentsOfOwner)
        }
    }

    @Test func linksOfAUserAreLimited() async throws {
        try await withNetwork { _, owner in
            for _ in 0..<DeviceLimits.invitationsPerHome {
                _ = try await owner.call(HubMethods.addDevice, AddDevice(kind: .link))
            }
            #expect(try await owner.refusal(HubMethods.addDevice, AddDevice(kind: .link)) == "limitExceeded")
        }
    }

    @Test func theAgentsOfAUsersDevicesSendEachOtherMessages() async throws {
        try await withNetwork { hub, owner in
            func add(_ laptop: Laptop) async throws -> UUID {
                let key = Data(laptop.key.publicKey.bytes)
                let vouching = VouchForDevice(name: laptop.name, kind: "agent", key: key)
                return try await owner.call(HubMethods.vouchForDevice, vouching).id
            }
            let (laptop, tablet) = (Laptop(), Laptop(name: "Tablet"))
            let (from, to) = (try await add(laptop), try await add(tablet))
            let sender = try await laptop.agent(hub)
            let message = SendToDevice(device: to, body: Data([1, 2, 3]))
            #expect(try await sender.refusal(HubMethods.sendToDevice, message) == "notAllowedNow")
            let receiver = try await tablet.agent(hub)
            let other = try await tablet.client(hub)
            _ = try await sender.call(HubMethods.sendToDevice, message)
            try await receiver.untilEvents { $0.contains(.deviceMessage) }
            #expect(receiver.deviceMessages == [DeviceMessage(from: from, body: Data([1, 2, 3]))])
            _ = try await other.call(HubMethods.devices, Empty())
            #expect(other.deviceMessages.isEmpty)

            // Only an agent may, and only to another device of the same user.
            #expect(try await owner.refusal(HubMethods.sendToDevice, message) == "insufficientPrivileges")
            let stranger = SendToDevice(device: UUID(), body: Data())
            #expect(try await sender.refusal(HubMethods.sendToDevice, stranger) == "notFound")
            let longest = SendToDevice(device: to, body: Data(count: SendToDevice.maximumLength))
            #expect(try await sender.refusal(HubMethods.sendToDevice, longest) == nil)
            let tooLong = SendToDevice(device: to, body: Data(count: SendToDevice.maximumLength + 1))
            #expect(try await sender.refusal(HubMethods.sendToDevice, tooLong) == "invalidParameter")
        }
    }

    // MARK: Removal

    @Test func aRemovedDeviceLosesAllItsConnectionsInOneStep() async throws {
        try await withNetwork { hub, owner in
            let laptop = Laptop()
            let key = Data(laptop.key.publicKey.bytes)
            let vouching = VouchForDevice(name: "Laptop", kind: "agent", key: key)
            let device = try await owner.call(HubMethods.vouchForDevice, vouching).id
            let closed = AwaitableValue([HubError.Code]())
            let authority = try hub.authority(of: laptop.key.publicKey)
            let replies = AwaitableValue(0)
            let sessions = (0..<200).map { _ in
                hub.accept(as: authority) { message in
                    switch message {
                    case .closed(let error): closed.change { $0.append(error.code) }
                    case .reply: replies.change { $0 += 1 }
                    case .event: break
                    }
                }
            }
            let hello = try JSONEncoder().encode(Hello(app: "hearth", purpose: "Tests."))
            for session in sessions {
                session.receive(HubRequest(id: 0, method: HubMethods.hello.name, parameters: hello))
            }
            try await replies.until { $0 == 200 }
            let removed = AwaitableValue(Set<PublicKey>())
            hub.onRemovedKeys { keys in removed.change { $0.formUnion(keys) } }
            _ = try await owner.call(HubMethods.removeDevice, RemoveDevice(id: device))
            // Nothing is left to wait for once the reply is there.
            #expect(closed.value == Array(repeating: .deviceRemoved, count: 200))
            #expect(removed.value == [laptop.key.publicKey])
            #expect(hub.door.standing(of: laptop.key.publicKey) == .removed)
            #expect(laptop.refusal(hub) == .deviceRemoved)
            // A handshake that was under way ends with the greeting.
            let late = AwaitableValue<HubError.Code?>(nil)
            let session = hub.accept(as: authority) { message in
                if case .closed(let error) = message { late.change { $0 = error.code } }
            }
            session.receive(HubRequest(id: 0, method: HubMethods.hello.name, parameters: hello))
            try await late.until { $0 == .deviceRemoved }
        }
    }

    @Test func aRemovedUsersDevicesAreRemovedWithTheirLastHome() async throws {
        try await withNetwork { hub, owner in
            let home = try await owner.call(HubMethods.addHome, AddHome(name: "Villa")).id
            let (ann, laptop) = try await guest("Ann", in: home, of: owner, hub)
            let client = try await laptop.client(hub)
            _ = try await owner.call(HubMethods.removeUser, InHome(home, RemoveUser(ann)))
            #expect(hub.door.standing(of: laptop.key.publicKey) == .removed)
            #expect(laptop.refusal(hub) == .deviceRemoved)
            await #expect(throws: HubError.self) { try await client.call(HubMethods.devices, Empty()) }
        }
    }

    @Test func aDeviceCannotTouchTheDevicesOfOthers() async throws {
        try await withNetwork { hub, owner in
            let home = try await owner.call(HubMethods.addHome, AddHome(name: "Villa")).id
            let (_, laptop) = try await guest("Ann", in: home, of: owner, hub)
            let key = Data(IdentityKey().publicKey.bytes)
            let vouching = VouchForDevice(name: "Desk", kind: "agent", key: key)
            let desk = try await owner.call(HubMethods.vouchForDevice, vouching).id
            let ann = try await laptop.client(hub)
            #expect(try await ann.refusal(HubMethods.removeDevice, RemoveDevice(id: desk)) == "notFound")
            #expect(try await ann.refusal(HubMethods.renameDevice, RenameDevice(id: desk, name: "Mine")) == "notFound")
            let confirmation = DeviceTargets(ids: [desk])
            #expect(try await ann.refusal(HubMethods.confirmDevices, confirmation) == "insufficientPrivileges")
            #expect(try await owner.call(HubMethods.devices, Empty()).devices.map(\.name) == ["Desk"])
        }
    }

    @Test func whatCameFromAStolenDeviceIsListed() async throws {
        try await withNetwork { hub, owner in
            let home = try await owner.call(HubMethods.addHome, AddHome(name: "Villa")).id
            let laptop = Laptop()
            let key = Data(laptop.key.publicKey.bytes)
            let vouching = VouchForDevice(name: "Laptop", kind: "agent", key: key)
            let device = try await owner.call(HubMethods.vouchForDevice, vouching).id
            let thief = try await laptop.client(hub)
            _ = try await thief.call(HubMethods.addUser, AddHomeUser(home: home, name: "Eve", role: .guest))
            let link = try await thief.call(HubMethods.addDevice, AddDevice(kind: .link))
            let other = VouchForDevice(name: "Burner", kind: "agent", key: Data(IdentityKey().publicKey.bytes))
            _ = try await thief.call(HubMethods.vouchForDevice, other)
            let removal = RemoveDevice(id: device, isStolen: true)
            let deeds = try await owner.call(HubMethods.removeDevice, removal).deeds ?? []
            #expect(Set(deeds.map(\.name)) == ["Eve", "Burner"])
            #expect(Set(deeds.map(\.verb)) == ["userAdded", "deviceAdded"])
            #expect(await Laptop().failure(hub, with: link.id) == .invitationEnded)
        }
    }

    @Test func thatAStolenDeviceJoinedIsNotWhatCameFromIt() async throws {
        try await withNetwork { hub, owner in
            let added = try await owner.call(HubMethods.addDevice, AddDevice(kind: .code))
            let device = try await Laptop().join(hub, with: added.id).device
            let removal = RemoveDevice(id: device, isStolen: true)
            #expect(try await owner.call(HubMethods.removeDevice, removal).deeds == [])
        }
    }

    // MARK: What apps see

    @Test func appsNeverSeeDevices() async throws {
        try await withNetwork { hub, owner in
            let app = try await RecordingHubClient(to: hub, app: "com.example.lights")
            let key = IdentityKey().publicKey
            let vouching = VouchForDevice(name: "Secret Laptop", kind: "agent", key: Data(key.bytes))
            let id = try await owner.call(HubMethods.vouchForDevice, vouching).id
            try await owner.until { $0.account.devices.map(\.id) == [id] }
            // The change precedes the reply to a later request.
            _ = try await app.call(HubMethods.stopBrowsing, Empty())
            let change = try #require(app.changes.last { $0.change.verb == .deviceAdded })
            #expect(change.change.effects.isEmpty && change.change.subjects.isEmpty)
            let later = try await RecordingHubClient(to: hub, app: "com.example.later")
            #expect(later.view.account.devices.isEmpty)
        }
    }

    /// Waits until a condition about the hub is true, which follows an answer a moment later.
    private func until(_ isTrue: () -> Bool) async throws {
        let deadline = ContinuousClock.now + .seconds(60)
        while !isTrue() {
            try #require(ContinuousClock.now < deadline)
            await Task.yield()
        }
    }
}
