import Foundation
import HAP
import HomeHub
import HomeIdentity
import HomeKitTesting
import HubAPI
import HubNetwork
import HubServer
import Logging
import NIOCore
import PeerProcess
import Synchronization
import Testing

/// The client of `Documentation/HubProtocol.md` against a hub with a lamp.
@Suite struct NetworkClientTests {
    /// A hub's door with one code, behind which every device is the owner's.
    private final class Door: NetworkDoor {
        static let code = "482-11-957"

        let devices = Mutex<Set<PublicKey>>([])
        let digits = Mutex<CheckDigits?>(nil)
        let wrongTries = Mutex(0)
        private let invitation: JoinInvitation

        init() throws {
            let verifier = JoinVerifier(.code(try SetupCode(Self.code)))
            invitation = JoinInvitation(id: InvitationID(UUID()), verifier: verifier, comparesDigits: false)
        }

        func standing(of key: PublicKey) -> KeyStanding {
            devices.withLock { $0.contains(key) } ? .device : .joining
        }

        func invitation(_ id: InvitationID?) -> JoinInvitation { invitation }

        func countTry(of id: InvitationID) -> Int {
            wrongTries.withLock {
                $0 += 1
                return 5 - $0
            }
        }

        func join(_ request: JoinRequest, by key: PublicKey, with id: InvitationID, digits: CheckDigits) -> JoinReply {
            devices.withLock { _ = $0.insert(key) }
            self.digits.withLock { $0 = digits }
            return JoinReply(hubName: "Villa", user: UUID(), userName: "Ann", device: UUID(), state: .joined)
        }
    }

    /// The block of Python on the page.
    private static func client() throws -> String {
        let page = try PeerPython.packageRoot().appending(path: "Documentation/HubProtocol.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        let start = try #require(text.range(of: "```python\n"))
        let rest = text[start.upperBound...]
        return String(rest[..<(try #require(rest.range(of: "\n```")).lowerBound)])
    }

    private static func run(_ code: String, at port: Int) async throws -> String {
        let folder = FileManager.default.temporaryDirectory.appending(path: "hearth-python-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try client().write(to: folder.appending(path: "client.py"), atomically: true, encoding: .utf8)
        let python = try PeerPython.interpreter().path
        return try await ShellScript.run(
            "cd \(folder.path); \(python) client.py 127.0.0.1 \(port) \(code) 'Desk Lamp' || echo status $?"
        )
    }

    @Test func theClientOfThePageJoinsAndSwitchesALamp() async throws {
        try await withTestHome(named: "Villa") { home in
            let lamp = try await home.add(.lamp("Desk Lamp"))
            let hub = try home.hub()
            let door = try Door()
            let authority = SessionAuthority(user: hub.owner.user, device: UUID(), client: .device)
            var limits = NetworkLimits()
            (limits.greetingTime, limits.joinTime) = (600, 600)
            let listener = try await LinkListener.start(
                at: SocketAddress(ipAddress: "127.0.0.1", port: 0),
                key: IdentityKey(),
                door: door,
                limits: limits,
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            ) { _, _ in LinkPeer(HubAcceptor(hub, as: authority)) }
            do {
                let wrong = try await Self.run("482-11-958", at: listener.port)
                #expect(
                    wrong.contains("The code is wrong. 4 tries are left.") && wrong.contains("status 1"),
                    "\(wrong)"
                )
                let devices = door.devices.withLock { $0 }
                #expect(devices.isEmpty)

                let output = try await Self.run(Door.code, at: listener.port)
                let digits = try #require(door.digits.withLock { $0 })
                #expect(output.contains("joined as Ann, digits \(digits.digits)"), "\(output)")
                #expect(output.contains("\ntrue"), "\(output)")
                try await home.until("the lamp is on") { try await lamp[\.on] == true }
            } catch {
                await listener.stop()
                throw error
            }
            await listener.stop()
        }
    }
}
