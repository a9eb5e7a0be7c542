import Foundation
import Glibc
import HubAPI
import HubClient
import LocalRPCSockets
import PeerProcess
import Testing

/// Apps of other users, each on its own socket. Needs root, to run programs as other users.
struct AppSocketTests {
    private struct Message: Decodable, Sendable {
        var event: String
        var id: Int?
        var error: Int?
        var homes: [String]?
        var authorized: Bool?
    }

    /// Two user IDs that aren't root and differ from each other.
    private static let guest: uid_t = 65_533
    private static let hubUser: uid_t = 65_532
    private static let app = "com.example.lights"

    /// Runs `body` with a folder that other users can traverse, and removes it.
    private static func withOpenFolder<Result>(_ body: (String) async throws -> Result) async throws -> Result {
        let folder = "/tmp/hearth-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o755]
        )
        defer { try? FileManager.default.removeItem(atPath: folder) }
        return try await body(folder)
    }

    /// Starts a program as another user, in none of this process's groups.
    private static func start(
        _ program: URL,
        _ arguments: [String] = [],
        as user: uid_t,
        group: gid_t? = nil,
        environment: [String: String]
    ) throws -> PeerProcess {
        let identity = ["--reuid=\(user)", "--regid=\(group ?? user)", "--clear-groups"]
        return try PeerProcess(
            URL(filePath: "/usr/bin/setpriv"),
            identity + [program.path] + arguments,
            environment: environment.merging(["HOME": "/nonexistent"]) { $1 }
        )
    }

    /// Starts an app as another user. The app claims another identifier.
    private static func startApp(_ socket: String, hubUser: uid_t? = nil) throws -> PeerProcess {
        var environment = [
            "HEARTH_SOCKET": socket, "HEARTH_APP": "com.example.other", "HEARTH_PURPOSE": "Tests sockets.",
        ]
        if let hubUser { environment["HEARTH_HUB_UID"] = "\(hubUser)" }
        return try start(Programs.app, as: guest, environment: environment)
    }

    @Test func anAppOfAnotherUserIsServedAsWhatItsSocketSaysAndNotAsWhatItSays() async throws {
        try await Fixture.with { fixture in
            try await Self.withOpenFolder { folder in
                let socket = "\(folder)/lights/hub.sock"
                var hub = try await fixture.startHub()
                #expect(try await fixture.run("home", "add", "My Home").status == 0)
                let made = try await fixture.run("app", "socket", Self.app, socket, "--mode", "0666")
                #expect(made.output == "HEARTH_SOCKET=\(socket)\nHEARTH_HUB_UID=0\n", "\(made.error)")
                let app = try Self.startApp(socket)
                _ = try await app.json(Message.self, "the homes") { $0.homes == ["My Home"] }
                let listed = try await fixture.run("app", "list").output
                let line = "\(Self.app)  (not decided, connected)  Tests sockets.\n  \(socket)  (mode 0666)\n"
                #expect(listed == line)

                // Denying the app's socket disconnects it; denying the identifier that it claims does not.
                #expect(try await fixture.run("app", "deny", "com.example.other").status == 0)
                try app.send(#"{"id": 1, "do": "addRoom", "name": "Attic"}"#)
                #expect(try await app.json(Message.self, "the room") { $0.id == 1 }.error == nil)
                #expect(try await fixture.run("app", "deny", Self.app).status == 0)
                _ = try await app.json(Message.self, "the denial") { $0.authorized == false }
                #expect(try await fixture.run("app", "allow", Self.app).status == 0)
                _ = try await app.json(Message.self, "the homes again") { $0.homes == ["My Home"] }

                // The socket is back after the hub restarts.
                #expect(await hub.terminate() == 0)
                #expect(!FileManager.default.fileExists(atPath: socket))
                hub = try await fixture.startHub()
                try await Wait.until("the app reconnects") {
                    try await fixture.run("app", "list", "--json").output.contains(#""isConnected":true"#)
                }
                try app.send(#"{"id": 2, "do": "addRoom", "name": "Cellar"}"#)
                #expect(try await app.json(Message.self, "another room") { $0.id == 2 }.error == nil)
                #expect(try await fixture.run("room", "list").output == "Attic\nCellar\n")

                #expect(try await fixture.run("app", "socket", "--remove", socket).status == 0)
                #expect(!FileManager.default.fileExists(atPath: socket))
                let rest = try await fixture.run("app", "list").output
                #expect(!rest.contains(socket) && !rest.contains("connected"))
                let again = try await fixture.run("app", "socket", "--remove", socket)
                #expect(again.status == 1 && again.error.contains("notFound"))
                for process in [app, hub] { _ = await process.terminate() }
            }
        }
    }

    @Test func noOtherSocketServesAnotherUserAndAHubOfAnotherUserIsBelievedOnlyIfNamed() async throws {
        try await Fixture.with { fixture in
            try await Self.withOpenFolder { folder in
                let (data, own, shared) = ("\(folder)/data", "\(folder)/own/hub.sock", "\(folder)/own/lights.sock")
                for path in [data, "\(folder)/own"] {
                    #expect(mkdir(path, 0o755) == 0 && chown(path, Self.hubUser, Self.hubUser) == 0)
                }
                #expect(chmod(data, 0o700) == 0)
                let arguments = ["hub", "--data", data, "--socket", own, "--mdns-interface", "127.0.0.1", "--json"]
                let hub = try Self.start(Programs.hearth, arguments, as: Self.hubUser, environment: [:])
                _ = try await hub.json(Fixture.Line.self, "the hub's start") { $0.event == "ready" }
                let command = ["app", "socket", Self.app, shared, "--mode", "0666"]
                let environment = ["HEARTH_SOCKET": own]
                let opener = try Self.start(Programs.hearth, command, as: Self.hubUser, environment: environment)
                _ = try await opener.line("the hub's uid") { $0 == "HEARTH_HUB_UID=\(Self.hubUser)" }
                #expect(await opener.exit() == 0)

                let unconfigured = try Self.startApp(shared)
                try await Wait.until("the app prints the reason") {
                    unconfigured.transcript.contains("HEARTH_HUB_UID=\(Self.hubUser)")
                }
                let app = try Self.startApp(shared, hubUser: Self.hubUser)
                _ = try await app.json(Message.self, "the greeting") { $0.authorized == true }

                // Even if its mode allows everyone, the hub's own socket serves only its own user and root.
                #expect(chmod(own, 0o666) == 0)
                let outside = try Self.start(
                    Programs.hearth,
                    ["home", "list"],
                    as: Self.guest,
                    environment: ["HEARTH_SOCKET": own, "HEARTH_HUB_UID": "\(Self.hubUser)"]
                )
                #expect(await outside.exit() == 1)
                #expect(outside.transcript.contains("connectionLost"), "\(outside.transcript)")
                for process in [unconfigured, app, hub] { _ = await process.terminate() }
            }
        }
    }

    @Test func whatIsForPeopleIsNotToBeHadAtAnAppsSocket() async throws {
        try await Fixture.with { fixture in
            let hub = try await fixture.startHub(["--ask-apps"])
            let socket = fixture.folder.appending(path: "app.sock").path
            #expect(try await fixture.run("app", "socket", Self.app, socket).status == 0)
            #expect(try await fixture.run("app", "allow", Self.app).status == 0)
            let connection = HubConnection(over: UnixSocketTransport(path: socket), onEvent: { _ in })
            // A client that claims to be the hub's own command is still the app.
            _ = try await connection.call(HubMethods.hello, Hello(app: "hearth", purpose: "Tests."))
            func refusal<Parameters, Result>(
                _ method: Method<Parameters, Result>,
                _ parameters: Parameters
            ) async -> HubError.Code? {
                do throws(HubError) {
                    _ = try await connection.call(method, parameters)
                    return nil
                } catch {
                    return error.code
                }
            }
            let target = AppTarget(id: Self.app)
            let otherSocket = OpenAppSocket(id: "com.example.b", socket: AppSocket(path: "/tmp/b.sock"))
            let answer = AnswerQuestion(id: UUID(), answer: "allow")
            #expect(await refusal(HubMethods.apps, Empty()) == .appNotAllowed)
            #expect(await refusal(HubMethods.allowApp, target) == .appNotAllowed)
            #expect(await refusal(HubMethods.denyApp, target) == .appNotAllowed)
            #expect(await refusal(HubMethods.forgetApp, target) == .appNotAllowed)
            #expect(await refusal(HubMethods.openAppSocket, otherSocket) == .appNotAllowed)
            #expect(await refusal(HubMethods.closeAppSocket, AppSocketTarget(path: socket)) == .appNotAllowed)
            #expect(await refusal(HubMethods.questions, Empty()) == .appNotAllowed)
            #expect(await refusal(HubMethods.answerQuestion, answer) == .appNotAllowed)
            #expect(await refusal(HubMethods.declineQuestion, QuestionTarget(id: UUID())) == .appNotAllowed)
            #expect(await refusal(HubMethods.makeBackup, CreateBackup(passphrase: "secret")) == .appNotAllowed)
            #expect(await refusal(HubMethods.readBackup, ReadBackup(id: UUID(), offset: 0)) == .appNotAllowed)
            #expect(await refusal(HubMethods.addHome, AddHome(name: "My Home")) == nil)
            connection.close()
            #expect(await hub.terminate() == 0)
        }
    }

    @Test func whatIsWrongWithASocketIsSaidAndNothingIsKept() async throws {
        try await Fixture.with { fixture in
            try await Self.withOpenFolder { folder in
                let hub = try await fixture.startHub()
                #expect(mkdir("\(folder)/open", 0o777) == 0 && chmod("\(folder)/open", 0o777) == 0)
                #expect(mkdir("\(folder)/open/inner", 0o755) == 0)
                #expect(mkdir("\(folder)/theirs", 0o755) == 0 && chown("\(folder)/theirs", Self.guest, Self.guest) == 0)
                #expect(FileManager.default.createFile(atPath: "\(folder)/file", contents: Data()))
                let long = "\(folder)/" + String(repeating: "s", count: 108 - folder.utf8.count - 1)
                #expect(long.utf8.count == 108)
                for (path, more, code, reason) in [
                    ("\(folder)/open/s", [], "socketRefused", "other users can write"),
                    ("\(folder)/open/inner/s", [], "socketRefused", "other users can write"),
                    ("\(folder)/theirs/s", [], "socketRefused", "another user"),
                    ("\(folder)/file", [], "socketRefused", "isn't a socket"),
                    (long, [], "socketRefused", "the maximum is 107"),
                    ("\(folder)/s", ["--group", "nogroupofthisname"], "socketRefused", "no group"),
                    (fixture.socket, [], "alreadyRunning", "already"),
                    ("\(folder)/s", ["--mode", "0060"], "invalid", "owner"),
                ] as [(String, [String], String, String)] {
                    let refused = try await fixture.run(["app", "socket", Self.app, path] + more)
                    #expect(refused.status == 1, "\(path)")
                    #expect(refused.error.contains(code) && refused.error.contains(reason), "\(refused.error)")
                }
                let own = try await fixture.run("app", "socket", "hearth.web", "\(folder)/s")
                #expect(own.error.contains("invalidParameter"))
                for usage in [
                    ["app", "socket", Self.app], ["app", "socket", Self.app, "\(folder)/s", "--mode", "0777"],
                    ["app", "socket", Self.app, "\(folder)/s", "--remove", "\(folder)/s"],
                ] {
                    #expect(try await fixture.run(usage).status == 2)
                }
                #expect(try await fixture.run("app", "list").output == "")

                let longest = String(long.dropLast())
                #expect(try await fixture.run("app", "socket", Self.app, longest, "--group", "65533").status == 0)
                var status = stat()
                #expect(stat(longest, &status) == 0 && status.st_mode & 0o777 == 0o660 && status.st_gid == Self.guest)
                let taken = try await fixture.run("app", "socket", "com.example.b", longest)
                #expect(taken.error.contains("alreadyAdded"))
                #expect(await hub.terminate() == 0)
            }
        }
    }

    @Test func aWayThatSomebodyElseCanBendIsNotTakenAndNothingIsMadeAtItsEnd() async throws {
        try await Fixture.with { fixture in
            try await Self.withOpenFolder { folder in
                let hub = try await fixture.startHub()
                let (shared, real) = ("\(folder)/shared", "\(folder)/real")
                #expect(mkdir(real, 0o755) == 0 && mkdir(shared, 0o755) == 0 && chmod(shared, 0o1777) == 0)
                #expect(mkdir("\(folder)/theirs", 0o755) == 0 && symlink(real, "\(folder)/theirs/link") == 0)
                #expect(chown("\(folder)/theirs", Self.guest, Self.guest) == 0)
                #expect(symlink(real, "\(shared)/bent") == 0 && lchown("\(shared)/bent", Self.guest, Self.guest) == 0)
                #expect(symlink("../shared/bent", "\(real)/toBent") == 0)
                #expect(symlink("loop", "\(folder)/loop") == 0)
                #expect(symlink("nowhere", "\(folder)/dangling") == 0)
                for (path, reason) in [
                    ("\(shared)/bent/s", "symbolic link \(shared)/bent belongs to another user (uid \(Self.guest))"),
                    ("\(shared)/bent/new/s", "symbolic link"), ("\(real)/toBent/new/s", "symbolic link"),
                    ("\(folder)/theirs/link/new/s", "\(folder)/theirs belongs to another user"),
                    ("\(folder)/loop/s", "too many symbolic links"),
                ] {
                    let refused = try await fixture.run("app", "socket", Self.app, path)
                    #expect(refused.status == 1 && refused.error.contains("socketRefused"), "\(path): \(refused)")
                    #expect(refused.error.contains(reason), "\(refused.error)")
                }
                #expect(try FileManager.default.contentsOfDirectory(atPath: real) == ["toBent"])
                #expect(try await fixture.run("app", "list").output == "")

                #expect(symlink("../real", "\(shared)/own") == 0)
                #expect(try await fixture.run("app", "socket", Self.app, "\(shared)/own/new/s").status == 0)
                var status = stat()
                #expect(lstat("\(real)/new/s", &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK)
                #expect(lstat("\(real)/new", &status) == 0 && status.st_mode & 0o777 == 0o755)
                #expect(try await fixture.run("app", "socket", Self.app, "\(folder)/dangling/s").status == 0)
                #expect(lstat("\(folder)/nowhere/s", &status) == 0)
                #expect(await hub.terminate() == 0)
            }
        }
    }

    @Test func aSocketOfADeadHubIsReplacedAndOneThatCannotBeMadeIsListedWithItsCause() async throws {
        try await Fixture.with { fixture in
            try await Self.withOpenFolder { folder in
                let (first, second) = ("\(folder)/a/s", "\(folder)/b/s")
                var hub = try await fixture.startHub()
                for socket in [first, second] {
                    #expect(try await fixture.run("app", "socket", Self.app, socket).status == 0)
                }
                hub.kill(SIGKILL)
                await hub.exit()
                #expect(FileManager.default.fileExists(atPath: first))
                #expect(chmod("\(folder)/b", 0o777) == 0)
                hub = try await fixture.startHub()
                let listed = try await fixture.run("app", "list").output
                #expect(listed.contains("\(first)  (mode 0660)\n"))
                #expect(listed.contains("\(second)  (mode 0660)  can't be opened: "))
                #expect(hub.transcript.contains("An app's socket could not be opened."))
                let connection = HubConnection(over: UnixSocketTransport(path: first), onEvent: { _ in })
                _ = try await connection.call(HubMethods.hello, Hello(app: "any", purpose: "Tests."))
                connection.close()
                #expect(await hub.terminate() == 0)
            }
        }
    }

    @Test func aRestoredHubOpensNoSockets() async throws {
        try await Fixture.with { fixture in
            let hub = try await fixture.startHub()
            let socket = fixture.folder.appending(path: "app.sock").path
            #expect(try await fixture.run("home", "add", "My Home").status == 0)
            #expect(try await fixture.run("app", "socket", Self.app, socket).status == 0)
            let (file, data) = (
                fixture.folder.appending(path: "b.age").path, fixture.folder.appending(path: "new").path
            )
            #expect(try await fixture.run(["backup", file, "--passphrase-fd", "0"], input: "a b c").status == 0)
            #expect(await hub.terminate() == 0)
            let command = ["restore", file, "--data", data, "--passphrase-fd", "0"]
            let restored = try await fixture.run(command, input: "a b c")
            #expect(restored.status == 0, "\(restored.error)")
            let arguments = ["--data", data, "--socket", fixture.socket, "--mdns-interface", "127.0.0.1", "--json"]
            let other = try PeerProcess(Programs.hearth, ["hub"] + arguments)
            _ = try await other.json(Fixture.Line.self, "the hub's start") { $0.event == "ready" }
            #expect(try await fixture.run("home", "list").output.contains("My Home"))
            #expect(try await fixture.run("app", "list").output == "")
            #expect(!FileManager.default.fileExists(atPath: socket))
            #expect(await other.terminate() == 0)
        }
    }
}
