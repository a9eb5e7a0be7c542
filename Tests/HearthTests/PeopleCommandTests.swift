import Foundation
import PeerProcess
import Testing

/// The commands for users, devices and invitations. `Documentation/People.md` shows their output.
struct PeopleCommandTests {
    private struct Invitation: Decodable {
        var id: String
        var user: String?
        var kind: String?
        var links: [String]?
        var code: String?
        var link: String?
    }

    private struct Added: Decodable {
        var id: String
        var name: String
        var invitation: Invitation?
    }

    private struct Device: Decodable {
        var id: String
        var name: String
        var isConnected: Bool
    }

    /// Runs a command that succeeds.
    private static func run(_ fixture: Fixture, _ arguments: String...) async throws -> String {
        let outcome = try await fixture.run(arguments)
        #expect(outcome.status == 0, "\(arguments): \(outcome.error)")
        return outcome.output
    }

    /// Runs a command that succeeds, and decodes its JSON.
    private static func read<Value: Decodable>(_ fixture: Fixture, _ arguments: String...) async throws -> Value {
        let outcome = try await fixture.run(arguments + ["--json"])
        #expect(outcome.status == 0, "\(arguments): \(outcome.error)")
        return try JSONDecoder().decode(Value.self, from: Data(outcome.output.utf8))
    }

    /// Runs a command that fails, and returns its error's name.
    private static func refusal(_ fixture: Fixture, _ arguments: String...) async throws -> Substring? {
        let outcome = try await fixture.run(arguments)
        #expect(outcome.status == 1, "\(arguments)")
        return outcome.error.split(separator: ": ").dropFirst().first
    }

    @Test func anAddedUserIsInvitedUntilTheInvitationIsWithdrawn() async throws {
        try await Fixture.with { fixture in
            let hub = try await fixture.startHub(["--http", "127.0.0.1:0"])
            _ = try await Self.run(fixture, "home", "add", "My Home")
            let ben: Added = try await Self.read(fixture, "user", "add", "Ben", "--role", "guest")
            let links = try #require(ben.invitation?.links)
            #expect(links.allSatisfy { $0.contains("/#code=") } && !links.isEmpty)
            let rows = try await Self.run(fixture, "user", "list").split(separator: "\n")
            #expect(rows.first?.contains(/owner +can do everything +\(you\)$/) == true, "\(rows)")
            #expect(
                rows.last?.contains(/^Ben +guest +can control +\(invited until \d{4}-\d\d-\d\d \d\d:\d\d\)$/) == true,
                "\(rows)"
            )
            let open: [Invitation] = try await Self.read(fixture, "invitation", "list")
            #expect(open.map(\.user) == ["Ben"])
            #expect(open.map(\.id) == [ben.invitation?.id])
            let list = try await Self.run(fixture, "invitation")
            #expect(list.contains("Ben  link  until "))

            let withdrawn = try await Self.run(fixture, "invitation", "withdraw", "Ben")
            #expect(withdrawn.isEmpty)
            #expect(try await Self.refusal(fixture, "invitation", "withdraw", "Ben") == "notFound")
            let none = try await Self.run(fixture, "invitation", "list")
            #expect(none.hasPrefix("No invitation is open."))
            let later = try await Self.run(fixture, "user", "list")
            #expect(later.contains("(invited)") && !later.contains("invited until"))

            let again = try await Self.run(fixture, "user", "invite", "Ben")
            #expect(again.contains("/#code="))
            #expect(!again.contains("\u{2588}"), "A QR code is drawn on a terminal only.")
            let drawn = try await Self.run(fixture, "user", "invite", "Ben", "--qr")
            #expect(drawn.contains("\u{2588}"))
            #expect(try await Self.refusal(fixture, "user", "invite", "Nobody") == "notFound")
            #expect(await hub.terminate() == 0)
        }
    }

    @Test func aUserIsAddedWhereNobodyCanBeInvited() async throws {
        try await Fixture.with { fixture in
            let hub = try await fixture.startHub(["--network", "off"])
            _ = try await Self.run(fixture, "home", "add", "My Home")
            let outcome = try await fixture.run("user", "add", "Ben")
            #expect(outcome.status == 0)
            #expect(outcome.output == "Added Ben\n")
            #expect(outcome.error.hasPrefix("Ben has no invitation yet. "), "\(outcome.error)")
            let quiet = try await fixture.run("user", "add", "Cid", "--no-invitation")
            #expect(quiet.output == "Added Cid\n")
            #expect(quiet.error.isEmpty, "\(quiet.error)")
            #expect(try await Self.refusal(fixture, "user", "invite", "Ben") == "notAllowedNow")
            #expect(await hub.terminate() == 0)
        }
    }
}
