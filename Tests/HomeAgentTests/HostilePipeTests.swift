import Foundation
import HAPCatalog
import HomeHub
import HomeKitTesting
import HomeModel
import HostileRelay
import HubAPI
import PeerProcess
import Relay
import RelayAPI
import RelayClient
import Synchronization
import Testing
import WebServer

@testable import HomeAgent

/// A relay that lies about what it carries between a device and its hub. `Documentation/Sync.md` has the table of the attacks.
///
/// After each attack, the lamp was switched once, and the device goes on.
@Suite struct HostilePipeTests {
    /// What a relay does with the next bytes that it carries.
    struct Attack: Sendable, CustomStringConvertible {
        var relay: String
        var outcome: String
        var script: @Sendable (Trap) -> HostileScript

        var description: String { relay }
        /// The row of the table.
        var row: String { "| \(relay) | \(outcome) |" }
    }

    /// Springs once after it was set.
    final class Trap: Sendable {
        // This is a class because the relay's requests and the test share it.

        private let isSet = Mutex(false)
        private let pipes = Mutex<Set<UInt32>>([])

        func set() { isSet.withLock { $0 = true } }

        /// Alters the first frames with data of a pipe that come once the trap is set.
        func spring(_ bytes: Data, _ alter: ([LiveFrame]) -> Data) -> Data {
            guard let frames = try? LiveFrameReader.frames(in: bytes) else { return bytes }
            let numbers = frames.filter { $0.kind == .data }.map(\.pipe)
            pipes.withLock { $0.formUnion(numbers) }
            guard !numbers.isEmpty else { return bytes }
            let isNow = isSet.withLock { isSet in
                defer { isSet = false }
                return isSet
            }
            return isNow ? alter(frames) : bytes
        }

        /// A pipe other than one.
        func pipe(besides number: UInt32) -> UInt32 { pipes.withLock { $0.first { $0 != number } } ?? number }
    }

    /// Alters what devices send.
    private static func up(_ alter: @escaping @Sendable ([LiveFrame], Trap) -> Data)
        -> @Sendable (Trap) -> HostileScript
    {
        { trap in
            { request in
                guard request.method == "POST", request.path.contains("/live/") else { return .pass }
                return .alterRequest { bytes in trap.spring(bytes) { alter($0, trap) } }
            }
        }
    }

    /// Alters what the hub sends.
    private static func down(_ alter: @escaping @Sendable ([LiveFrame]) -> Data) -> @Sendable (Trap) -> HostileScript {
        { trap in
            { request in request.kind == .live ? .alterStream { trap.spring($0, alter) } : .pass }
        }
    }

    private static func encoded(_ frames: [LiveFrame]) -> Data { frames.reduce(into: Data()) { $0 += $1.encoded } }

    /// Flips a bit of the data.
    private static func flipped(_ frames: [LiveFrame]) -> Data {
        encoded(
            frames.map { frame in
                var frame = frame
                if frame.kind == .data, let last = frame.payload.indices.last { frame.payload[last] ^= 1 }
                return frame
            }
        )
    }

    static let attacks: [Attack] = [
        Attack(
            relay: "alters what a device sends",
            outcome: "that the connection ends",
            script: up { frames, _ in flipped(frames) }
        ),
        Attack(relay: "alters what the hub sends", outcome: "that the connection ends", script: down(flipped)),
        Attack(
            relay: "keeps a command back for good",
            outcome: "that the device asks again after 12 seconds",
            script: up { frames, _ in encoded(frames.filter { $0.kind != .data }) }
        ),
        Attack(
            relay: "keeps an answer back for good",
            outcome: "that the device asks again after 12 seconds, and is told what was done",
            script: down { frames in encoded(frames.filter { $0.kind != .data }) }
        ),
        Attack(
            relay: "delivers a command twice",
            outcome: "that the connection ends; the command is carried out once",
            script: up { frames, _ in encoded(frames.flatMap { $0.kind == .data ? [$0, $0] : [$0] }) }
        ),
        Attack(
            relay: "delivers an answer twice",
            outcome: "that the connection ends",
            script: down { frames in encoded(frames.flatMap { $0.kind == .data ? [$0, $0] : [$0] }) }
        ),
        Attack(
            relay: "crosses two connections",
            outcome: "that both end",
            script: up { frames, trap in
                encoded(
                    frames.map { frame in
                        var frame = frame
                        if frame.kind == .data { frame.pipe = trap.pipe(besides: frame.pipe) }
                        return frame
                    }
                )
            }
        ),
        Attack(
            relay: "cuts a stream inside a frame",
            outcome: "that all connections through it end",
            script: down { frames in encoded(frames).dropLast(7) }
        ),
        Attack(
            relay: "adds bytes of its own",
            outcome: "that the connection ends",
            script: down { frames in
                encoded(
                    frames.flatMap { frame in
                        frame.kind == .data
                            ? [LiveFrame(.data, pipe: frame.pipe, payload: Data(repeating: 7, count: 40)), frame]
                            : [frame]
                    }
                )
            }
        ),
        Attack(
            relay: "ends a connection",
            outcome: "that the device opens another",
            script: down { frames in
                encoded(frames.map { $0.kind == .data ? .close($0.pipe, because: .closed) : $0 })
            }
        ),
        Attack(
            relay: "says that the hub isn't there",
            outcome: "that the device asks again",
            script: down { frames in
                encoded(frames.map { $0.kind == .data ? .close($0.pipe, because: .noHub) : $0 })
            }
        ),
    ]

    /// What other tests have: strangers and delays.
    static let others: [(relay: String, outcome: String)] = [
        (
            "holds a command back and delivers it after more than ten seconds",
            "nothing: the hub refuses it with `expired`"
        ),
        ("lets a stranger connect, or a device of another person", "nothing: the hub refuses the key in the handshake"),
        ("lets a guest connect who isn't allowed to from away", "nothing: the hub says `notHere`"),
        ("lets a removed device connect", "nothing: the hub says `deviceRemoved`"),
    ]

    @Test func noAttackOnAConnectionSwitchesALampTwiceOrStopsTheDevice() async throws {
        try await AwayLab.run(answerTime: .seconds(1)) { lab in
            let accessory = try await lab.home.add(.lamp("Desk Lamp"))
            let hostile = try await HostileRelay()
            hostile.upstream = lab.relay.address.port
            lab.proxy.lead(to: URL(string: hostile.url)?.port ?? 0)
            let device = try await lab.join(at: lab.proxy.url)
            await lab.leaveNetwork()
            for attack in Self.attacks {
                do {
                    try await Self.perform(attack, by: hostile, on: accessory, device, lab)
                } catch {
                    Issue.record("a relay that \(attack): \(error)")
                    throw error
                }
            }
            await hostile.stop()
        }
    }

    private static func perform(
        _ attack: Attack,
        by hostile: HostileRelay,
        on accessory: TestAccessory,
        _ device: AwayLab.Device,
        _ lab: AwayLab
    ) async throws {
        let trap = Trap()
        hostile.follow(attack.script(trap))
        let app = device.app()
        defer { app.close() }
        try await app.until { !$0.homes.isEmpty && $0.awayHomes.isEmpty }
        let lamp = try AwayTests.Lamp(accessory, app.state)
        let before = try await Self.switched(lamp, lab)
        trap.set()
        // Whatever the app is told: the command is carried out, at the latest when the device asks again.
        let code = await app.refusal(HubMethods.write, lamp.write(true))
        try await lab.home.until("the lamp is on, though a relay \(attack)") { try await accessory[\.on] == true }
        #expect(
            code == nil || code == .outcomeUnknown || code == .connectionLost,
            "a relay that \(attack): \(code as Any)"
        )
        hostile.beHonest()
        try await AwayTests.untilSet(lamp, false, by: device, lab)
        #expect(try await Self.switched(lamp, lab) == before + 1, "a relay that \(attack)")
    }

    /// The number of times that the lamp was switched on.
    private static func switched(_ lamp: AwayTests.Lamp, _ lab: AwayLab) async throws -> Int {
        let page = try await lab.owner.call(HubMethods.journal, JournalQuery(home: lamp.home, limit: 1_000))
        return page.entries.count { entry in
            if case .value(let value) = entry.content { value.value == .bool(true) } else { false }
        }
    }

    @Test func theTableHasEachAttack() throws {
        let page = try PeerPython.packageRoot().appending(path: "Documentation/Sync.md")
        let lines = try String(contentsOf: page, encoding: .utf8).split(separator: "\n").map(String.init)
        let first = try #require(lines.firstIndex(of: "| A relay that, on a connection, | achieves |"))
        let rows = lines[(first + 2)...].prefix { $0.hasPrefix("|") }
        #expect(Array(rows) == Self.attacks.map(\.row) + Self.others.map { "| \($0.relay) | \($0.outcome) |" })
    }
}
