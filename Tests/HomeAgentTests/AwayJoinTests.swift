import Foundation
import HAPCatalog
import HomeHub
import HomeIdentity
import HomeKitTesting
import HomeModel
import HubAPI
import PeerProcess
import Relay
import Testing

@testable import HomeAgent

/// Devices that join a hub by a link, through the hub's relay: whole hub, relay and agents, with the hub's port closed.
@Suite struct AwayJoinTests {
    /// Makes a link for a device of the hub's own user, and closes the hub's port.
    private static func link(_ lab: AwayLab) async throws -> InvitationLink {
        let added = try await lab.owner.call(HubMethods.addDevice, AddDevice(kind: .link))
        await lab.leaveNetwork()
        let link = try InvitationLink(try #require(added.link?.url))
        #expect(link.door?.relay == lab.relay.url)
        return link
    }

    /// Answers the question about the device that waits, if its digits are the ones that it shows.
    private static func answer(_ answer: String, _ digits: String?, _ lab: AwayLab) async throws {
        let owner = lab.command()
        defer { owner.close() }
        let questions = try await Wait.value {
            !$0.isEmpty
        } of: {
            try await owner.call(HubMethods.questions, Empty()).questions.filter { $0.kind == .joining }
        }
        let question = try #require(questions.last)
        #expect(question.digits == digits?.filter(\.isNumber))
        _ = try await owner.call(HubMethods.answerQuestion, AnswerQuestion(id: question.id, answer: answer))
    }

    private static func code(_ body: () async throws -> Void) async throws -> HubError.Code? {
        do {
            try await body()
            return nil
        } catch let error as HubError {
            return error.code
        }
    }

    @Test func aDeviceJoinsByALinkFromAwayAndUsesTheHome() async throws {
        try await AwayLab.run(keepsFeeds: true) { lab in
            let accessory = try await lab.home.add(.lamp("Desk Lamp"))
            let link = try await Self.link(lab)
            let phone = try await lab.visitor("Pixel 9")
            let digits = try await phone.join(link.text)
            let hub = try #require(try await phone.joined.until { $0 != nil }?.id)
            // Until somebody has compared the digits, the device hears only that it has to wait.
            let app = phone.app()
            try await Wait.until("the device waits") { phone.agent.hubs.first?.view.problem?.code == .joinPending }
            #expect(app.state.homes.isEmpty)
            try await Self.answer(QuestionField.yes, digits, lab)
            try await app.until { !$0.homes.isEmpty && $0.awayHomes.isEmpty }
            #expect(phone.ways.current(hub) == .away)

            // It has a feed now, and a way of its own: the door is closed, and its key is forgotten.
            try await Wait.until("the door is closed") { lab.hub.doors.isEmpty }
            #expect(phone.folder.hub(hub)?.door == nil && phone.folder.hub(hub) != nil)
            try await app.until { $0.awayHomes.isEmpty }
            let home = try #require(app.state.homes.values.first)
            let record = try #require(home.accessories.first)
            let on = try #require(
                home.services(of: record).flatMap(\.characteristics).first { $0.type == HAPType.Characteristic.on }
            )
            let reference = CharacteristicReference(accessory: record.id, iid: on.iid)
            let write = WriteCharacteristics(
                home: home.id,
                writes: [.init(characteristic: reference, value: .bool(true))]
            )
            try await Wait.until("the lamp is switched") {
                await app.refusal(HubMethods.write, write) == nil
            }
            try await lab.home.until("the lamp is on") { try await accessory[\.on] == true }
            // The link works once.
            let other = try await lab.visitor("Stranger")
            let message = await #expect(throws: HubError.self) { _ = try await other.join(link.text) }
            #expect(message?.code == .noHub && message?.reason.contains("was used, withdrawn or is too old") == true)
        }
    }

    @Test func whoeverElseHasReadTheLinkComesTooLateOrIsDeclined() async throws {
        try await AwayLab.run(keepsFeeds: true) { lab in
            let link = try await Self.link(lab)
            let phone = try await lab.visitor("Pixel 9")
            let digits = try await phone.join(link.text)
            // The first device waits, so nobody else can use the link.
            let late = try await lab.visitor("Late")
            #expect(try await Self.code { _ = try await late.join(link.text, as: "Late") } == .invitationEnded)
            // It was the wrong one: it hears so, and forgets the hub.
            try await Wait.until("the device waits") { phone.agent.hubs.first?.view.problem?.code == .joinPending }
            try await Self.answer(QuestionField.no, digits, lab)
            try await Wait.until("the device has forgotten the hub") { phone.agent.hubs.isEmpty }
            #expect(try await Self.code { _ = try await late.join(link.text, as: "Late") } == .invitationEnded)
            #expect(try await lab.owner.call(HubMethods.devices, Empty()).devices.isEmpty)
        }
    }

    @Test func aWrongSecretCountsATryAndTheTwentiethEndsTheInvitation() async throws {
        try await AwayLab.run(keepsFeeds: true) { lab in
            let link = try await Self.link(lab)
            let wrong = InvitationLink(
                invitation: link.invitation,
                secret: LinkSecret(),
                hub: lab.hub.identity.publicKey,
                addresses: link.addresses,
                door: link.door
            )
            let phone = try await lab.visitor("Pixel 9")
            for left in [19, 18] {
                let error = await #expect(throws: HubError.self) { _ = try await phone.join(wrong.text) }
                #expect(error?.code == .wrongInvitationCode && error?.reason.contains("\(left) tries") == true)
            }
            // The relay's door leads to no other invitation, such as a code that is open.
            let code = try await lab.owner.call(HubMethods.addDevice, AddDevice(kind: .code))
            let crossed = InvitationLink(
                invitation: InvitationID(code.id),
                secret: link.secret,
                hub: lab.hub.identity.publicKey,
                addresses: [],
                door: link.door
            )
            #expect(try await Self.code { _ = try await phone.join(crossed.text) } == .invitationEnded)
            _ = try await phone.join(link.text)
        }
    }

    @Test func aGuestJoinsFromAwayAndIsToldThatTheHomeWorksAtHomeOnly() async throws {
        try await AwayLab.run(keepsFeeds: true) { lab in
            _ = try await lab.home.add(.lamp("Desk Lamp"))
            let owner = lab.command()
            let home = try #require(try await owner.until { !$0.homes.isEmpty }.homes.keys.first)
            let added = AddHomeUser(home: home, name: "Ben", role: .guest)
            let ben = try await lab.owner.call(HubMethods.addUser, added).id
            let invitation = CreateInvitation(user: ItemTarget(home: home, id: ben), kind: .link)
            let created = try await lab.owner.call(HubMethods.createInvitation, invitation)
            await lab.leaveNetwork()
            let phone = try await lab.visitor("Ben's phone")
            let digits = try await phone.join(try #require(created.joinLink?.url), as: "Ben's phone")
            try await Self.answer(QuestionField.yes, digits, lab)
            try await Wait.until("the device knows why") {
                phone.agent.hubs.first?.view.problem?.code == .notHere
            }
            let app = phone.app()
            #expect(app.state.homes.isEmpty)
            // Once it is allowed, the same device is in, with no further invitation.
            _ = try await lab.owner.call(HubMethods.setMayBeAway, InHome(home, SetMayBeAway(true, of: ben)))
            try await app.until { !$0.homes.isEmpty && $0.awayHomes.isEmpty }
            try await Wait.until("the door is closed") { lab.hub.doors.isEmpty }
        }
    }
}
