import Foundation
import HomeHub
import HomeKitTesting
import HomeModel
import HubAPI
import LocalRPC
import RawHTTP
import Testing

@testable import HubServer

/// Links with which an owner lets other users of the home sign in.
struct InvitationTests {
    /// A home with a user who isn't its owner.
    private struct Villa {
        var served: ServedHub
        var owner: HubConnection
        var home: UUID
        var user: UUID

        var target: ItemTarget { ItemTarget(home: home, id: user) }

        func invite() async throws -> CreatedInvitation {
            try await owner.call(HubMethods.createInvitation, CreateInvitation(user: target))
        }

        /// Signs in with an invitation. Returns the status and the code of the error.
        func use(_ invitation: CreatedInvitation) async throws -> (status: Int, error: String?) {
            try await Self.use(invitation, at: served)
        }

        static func use(
            _ invitation: CreatedInvitation,
            at served: ServedHub
        ) async throws -> (status: Int, error: String?) {
            let code = invitation.links[0].url.split(separator: "=").last ?? ""
            let response = try await PageClient(port: served.port).post("/login", #"{"code":"\#(code)","name":"iPad"}"#)
            return (response.status, response.code)
        }
    }

    private static func with(
        role: Role = .guest,
        in folder: URL? = nil,
        _ body: (Villa) async throws -> Void
    ) async throws {
        try await ServedHub.with(in: folder) { served in
            let owner = try await served.owner()
            let home = try await owner.call(HubMethods.addHome, AddHome(name: "Villa")).id
            let user = try await owner.call(HubMethods.addUser, AddHomeUser(home: home, name: "Ann", role: role)).id
            try await body(Villa(served: served, owner: owner, home: home, user: user))
            owner.close()
        }
    }

    @Test func aLinkSignsItsUserInOnce() async throws {
        try await Self.with { villa in
            let created = try await villa.invite()
            let link = try #require(created.links.first)
            #expect(link.url.hasPrefix("http://127.0.0.1:\(villa.served.port)/#code="))
            #expect(link.symbol?.path.hasPrefix("M0 0h7v1h-7z") == true && link.symbol?.side == 33)
            #expect(created.invitation.user == villa.user)
            #expect(created.invitation.expires == created.invitation.created + 7 * 86_400)
            let open = try await villa.owner.call(HubMethods.invitations, HomeTarget(home: villa.home))
            #expect(open.invitations == [created.invitation])
            let code = String(link.url.split(separator: "=").last ?? "")
            let page = try await villa.served.device("iPad", code: code.lowercased())
            let stream = try await page.stream()
            let homes = try await stream.next("reset").json["homes"] as? [String: [String: Any]] ?? [:]
            #expect(Array(homes.keys) == [villa.home.uuidString])
            #expect(try await villa.use(created) == (401, "wrongCode"))
            let none = try await villa.owner.call(HubMethods.invitations, HomeTarget(home: villa.home))
            #expect(none.invitations.isEmpty)
            stream.connection.end()
        }
    }

    @Test func anInvitationExpiresAfterAWeek() async throws {
        try await Self.with { villa in
            let created = try await villa.invite()
            try await villa.served.hubClock.advance(by: DeviceLimits.invitationLifetime)
            #expect(try await villa.use(created) == (401, "wrongCode"))
        }
    }

    @Test func anInvitationOutlivesARestartAndItsUseDoesToo() async throws {
        try await ServedHub.withFolder { folder in
            var invitations: [CreatedInvitation] = []
            try await Self.with(in: folder) { villa in
                for _ in 0..<2 { invitations.append(try await villa.invite()) }
                #expect(try await villa.use(invitations[0]) == (200, nil))
            }
            try await ServedHub.with(in: folder) { served in
                let (used, open) = (invitations[0], invitations[1])
                let again = try await Villa.use(used, at: served)
                #expect(again == (401, "wrongCode"))
                #expect(try await Villa.use(open, at: served) == (200, nil))
            }
            try await ServedHub.with(in: folder) { served in
                let again = try await Villa.use(invitations[1], at: served)
                #expect(again == (401, "wrongCode"))
            }
        }
    }

    @Test func anInvitationEndsWhenItOrItsUserIsRemoved() async throws {
        try await Self.with { villa in
            let first = try await villa.invite()
            _ = try await villa.owner.call(HubMethods.removeInvitation, InvitationTarget(id: first.invitation.id))
            #expect(try await villa.use(first) == (401, "wrongCode"))
            let second = try await villa.invite()
            _ = try await villa.owner.call(HubMethods.removeUser, InHome(villa.home, RemoveUser(villa.user)))
            #expect(try await villa.use(second) == (401, "wrongCode"))
        }
    }

    @Test func onlyTheOwnerInvites() async throws {
        try await Self.with(role: .administrator) { villa in
            let created = try await villa.invite()
            let code = String(created.links[0].url.split(separator: "=").last ?? "")
            let page = try await villa.served.device(code: code)
            let stream = try await page.stream()
            let snapshot = try await stream.next("reset").json["homes"] as? [String: [String: Any]] ?? [:]
            let records = snapshot[villa.home.uuidString]?["records"] as? [[String: Any]] ?? []
            let users = records.filter { $0["role"] != nil }
            let owner = try #require(users.first { $0["role"] as? String == "owner" }?["id"] as? String)
            let own = try #require(users.first { $0["role"] as? String == "administrator" }?["id"] as? String)
            for (user, code) in [(owner, "insufficientPrivileges"), (own, "invalidParameter")] {
                let body = #"{"user":{"home":"\#(villa.home)","id":"\#(user)"}}"#
                #expect(try await page.post("/api/invitation.create", body, stream.header).code == code)
            }
            let home = #"{"home":"\#(villa.home)"}"#
            let list = try await page.post("/api/invitation.list", home, stream.header)
            #expect(list.status == 200)
            let other = try await villa.invite()
            let removal = #"{"id":"\#(other.invitation.id)"}"#
            #expect(try await page.post("/api/invitation.remove", removal, stream.header).code == "notFound")
            // The owner's own devices can do it too.
            let device = try await villa.served.device()
            let ownStream = try await device.stream()
            #expect(try await device.post("/api/invitation.list", home, ownStream.header).status == 200)
            stream.connection.end()
            ownStream.connection.end()
        }
    }

    /// A device acts as its user in all homes, so the owner of one home must not get a device into another's.
    @Test func aUserWithAHomeOfTheirOwnCannotBeInvited() async throws {
        try await Self.with(role: .administrator) { villa in
            let first = try await villa.invite()
            let second = try await villa.invite()
            let code = String(first.links[0].url.split(separator: "=").last ?? "")
            let page = try await villa.served.device(code: code)
            let stream = try await page.stream()
            #expect(try await page.post("/api/home.add", #"{"name":"Cabin"}"#, stream.header).status == 200)
            let error = await #expect(throws: HubError.self) { try await villa.invite() }
            #expect(error?.code.rawValue == "insufficientPrivileges")
            // Not even with an invitation from before.
            #expect(try await villa.use(second) == (401, "wrongCode"))
            stream.connection.end()
        }
    }

    @Test func openInvitationsAreLimited() async throws {
        try await Self.with { villa in
            for _ in 0..<DeviceLimits.invitationsPerHome { _ = try await villa.invite() }
            let error = await #expect(throws: HubError.self) { try await villa.invite() }
            #expect(error?.code.rawValue == "limitExceeded")
        }
    }

    @Test func theJournalSaysWhoWasInvitedAndSignedIn() async throws {
        try await Self.with { villa in
            #expect(try await villa.use(try await villa.invite()) == (200, nil))
            let page = try await villa.owner.call(HubMethods.journal, JournalQuery(home: villa.home, limit: 10))
            let changes = page.entries.compactMap { entry -> String? in
                guard case .change(let verb, let objects) = entry.content else { return nil }
                return "\(verb.rawValue) \(objects.map(\.name).joined())"
            }
            #expect(changes.prefix(3) == ["userJoined Ann", "invitationUsed Ann", "userInvited Ann"])
        }
    }
}
