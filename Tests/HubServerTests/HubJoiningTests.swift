import DNSSD
import Foundation
import HomeIdentity
import HubAPI
import LocalRPC
import HubNetwork
import NIOCore
import PeerProcess
import Testing

@testable import HomeHub
@testable import HubServer

/// How a second hub joins the first one: over the network, with an invitation that the owner confirms.
@Suite struct HubJoiningTests {
    /// Invites a hub, lets one join, and answers the question whether it shows the digits.
    ///
    /// - Returns: What the joining hub was told to compare, and the question.
    @discardableResult
    private static func join(_ second: URL, _ first: RunningHub, answer: String) async throws -> (
        digits: String, question: Question
    ) {
        let (questions, asked) = AsyncStream.makeStream(of: Question.self)
        let owner = try await first.owner { event in
            if case .asked(let question) = event { asked.yield(question) }
        }
        defer { owner.close() }
        _ = try await owner.call(HubMethods.questions, Empty())
        let session = first.hub.accept(as: first.authority) { _ in }
        let invitation = try await first.hub.invitations.inviteHub(by: session)
        let link = try InvitationLink(try #require(invitation.link).url)
        let folder = try await JoiningHub.open(second)
        let (shown, show) = AsyncStream.makeStream(of: String.self)
        let joining = Task {
            do {
                try await HubJoining(folder, log: RunningHub.log).join(link, as: "Cellar") { digits, _ in
                    show.yield(digits.text)
                }
                try await folder.close()
            } catch {
                try? await folder.close()
                show.finish()
                throw error
            }
        }
        guard let digits = await shown.first(where: { _ in true }) else {
            try await joining.value
            throw JoinFailure.invitationEnded
        }
        let question = try #require(await questions.first { $0.kind == .joining })
        _ = try await owner.call(HubMethods.answerQuestion, AnswerQuestion(id: question.id, answer: answer))
        if answer == QuestionField.yes {
            try await Wait.until("the list is signed") { first.hub.hubTable.isPaired }
        }
        try await joining.value
        return (digits, question)
    }

    @Test func aHubJoinsOnceTheOwnerHasComparedTheDigits() async throws {
        try await RunningHub.withFolder { folder in
            let two = folder.appending(path: "two")
            try await RunningHub.start(folder.appending(path: "one")).run { first in
                let (digits, question) = try await Self.join(two, first, answer: QuestionField.yes)
                #expect(question.text.contains("The hub “Cellar” wants to keep your homes together"))
                #expect(question.text.contains(digits))
                let list = try #require(first.hub.hubTable.list)
                #expect(list.list.members.map(\.id).first == first.hub.owner.device)
                #expect(list.isSigned(by: first.hub.identity.publicKey))
                let joining = try await JoiningHub.open(two)
                #expect(joining.hasJoined)
                #expect(list.list.members.last?.key == joining.identity.publicKey)
                try await joining.close()
                // A third one isn't invited.
                let session = first.hub.accept(as: first.authority) { _ in }
                let error = await #expect(throws: HubError.self) {
                    try await first.hub.invitations.inviteHub(by: session)
                }
                #expect(error?.code == InvitationManager.tooManyHubs.code)
            }
        }
    }

    @Test func aHubThatIsNotLetInIsToldSoAndCanTryAgain() async throws {
        try await RunningHub.withFolder { folder in
            let two = folder.appending(path: "two")
            try await RunningHub.start(folder.appending(path: "one")).run { first in
                let error = await #expect(throws: HubError.self) {
                    try await Self.join(two, first, answer: QuestionField.no)
                }
                #expect(error?.code == .invitationEnded)
                #expect(first.hub.hubTable.list == nil)
                try await Self.join(two, first, answer: QuestionField.yes)
                #expect(first.hub.hubTable.isPaired)
            }
        }
    }

    @Test func joiningGoesOnAfterItWasInterrupted() async throws {
        try await RunningHub.withFolder { folder in
            let two = folder.appending(path: "two")
            try await RunningHub.start(folder.appending(path: "one")).run { first in
                let home = try await first.addHome("Villa")
                let (questions, asked) = AsyncStream.makeStream(of: Question.self)
                let owner = try await first.owner { event in
                    if case .asked(let question) = event { asked.yield(question) }
                }
                defer { owner.close() }
                _ = try await owner.call(HubMethods.questions, Empty())
                let invitation = try await owner.call(HubMethods.inviteHub, Empty())
                let link = try InvitationLink(try #require(invitation.link).url)
                // Before the owner's answer, and after it. The second time, it goes on without the link.
                let digits = try await Self.interrupt(two, link)
                let question = try #require(await questions.first { $0.kind == .joining })
                #expect(question.text.contains(digits))
                #expect(try await Self.interrupt(two, link) == digits)
                let answer = AnswerQuestion(id: question.id, answer: QuestionField.yes)
                _ = try await owner.call(HubMethods.answerQuestion, answer)
                try await Wait.until("the list is signed") { first.hub.hubTable.isPaired }
                let error = await #expect(throws: HubError.self) {
                    try await HomeHub(HubConfiguration(data: two, interfaces: [.loopback], log: RunningHub.log))
                }
                #expect(error?.code == .notAllowedNow && error?.reason.contains("hearth hub join") == true)
                let joining = try await JoiningHub.open(two)
                try await HubJoining(joining, log: RunningHub.log).join(nil, as: "Cellar") { _, _ in }
                try await joining.close()
                try await RunningHub.start(two).run { second in
                    #expect(await second.hub.database.home(home) != nil)
                    #expect(second.hub.hubTable.ownName == "Cellar")
                }
            }
        }
    }

    /// Begins or goes on to join, and stops once the digits are shown. Returns these.
    private static func interrupt(_ second: URL, _ link: InvitationLink) async throws -> String {
        let folder = try await JoiningHub.open(second)
        let (shown, show) = AsyncStream.makeStream(of: String.self)
        let joining = Task {
            defer { show.finish() }
            try await HubJoining(folder, log: RunningHub.log).join(link, as: "Cellar") { digits, _ in
                show.yield(digits.text)
            }
        }
        let digits = await shown.first { _ in true }
        joining.cancel()
        _ = await joining.result
        try await folder.close()
        return try #require(digits)
    }

    @Test func anInvitationIsForAHubOrForADevice() async throws {
        try await RunningHub.withFolder { folder in
            try await RunningHub.start(folder.appending(path: "one")).run { first in
                let owner = try await first.owner()
                let device = try await owner.call(HubMethods.addDevice, AddDevice(kind: .link))
                let session = first.hub.accept(as: first.authority) { _ in }
                let hub = try await first.hub.invitations.inviteHub(by: session)
                let port = try #require(await first.network.port)
                let address = try SocketAddress(ipAddress: "127.0.0.1", port: port)
                let attempts = [
                    (device, JoinRequest(hub: "Cellar", box: BoxKey().publicBox)), (hub, JoinRequest(name: "Phone")),
                ]
                for (invitation, request) in attempts {
                    let link = try InvitationLink(try #require(invitation.link).url)
                    let failure = await #expect(throws: JoinFailure.self) {
                        try await JoinChannel.join(
                            link,
                            at: address,
                            as: IdentityKey(),
                            request: request,
                            within: .minutes(10)
                        )
                    }
                    #expect(failure?.code == .wrongKind)
                }
                #expect(first.hub.hubTable.list == nil)
                owner.close()
            }
        }
    }

    @Test func aHubWithHomesJoinsNoOther() async throws {
        try await RunningHub.withFolder { folder in
            let used = folder.appending(path: "used")
            try await RunningHub.start(used).run { hub in
                let owner = try await hub.owner()
                _ = try await owner.call(HubMethods.addHome, AddHome(name: "Cabin"))
                owner.close()
            }
            let error = await #expect(throws: HubError.self) { try await JoiningHub.open(used) }
            #expect(error?.code == .hubNotEmpty)
            #expect(error?.reason.contains(used.path) == true)
        }
    }

    @Test func aRequestThatIsNoHubsNamesNoBox() throws {
        #expect(JoinRequest(name: "Phone").isValid)
        #expect(JoinRequest(hub: "Cellar", box: BoxKey().publicBox).isValid)
        var request = JoinRequest(name: "Phone")
        request.box = BoxKey().publicBox
        #expect(!request.isValid)
        request.kind = .hub
        #expect(request.isValid)
        request.box = nil
        #expect(!request.isValid)
    }
}
