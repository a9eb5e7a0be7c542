import Foundation
import HomeIdentity
import Testing

@testable import SealedFeed

/// Random changes, lies, crashes and restarts. A reader has what the hub had when it wrote the reader's last entry, or
/// stands still with an error that has a name.
@Suite struct FeedPropertyTests {
    private struct Run {
        var random: SeededGenerator
        var hub: FeedHub
        var relay = RelayMemory()
        var device = FeedDevice()
        /// An entry and an envelope of another feed of the same hub.
        var foreign: [[UInt8]] = []
        var codes: Set<FeedError.Code> = []
        var updates = 0

        init(seed: UInt64) throws {
            random = SeededGenerator(seed: seed)
            hub = FeedHub(devices: [device.id: device.box.publicBox])
            device.join(hub)
            try hub.publish(to: &relay)
            var other = FeedHub(devices: hub.devices, key: hub.key)
            var otherRelay = RelayMemory()
            try other.publish(to: &otherRelay)
            try other.change(1, at: &otherRelay)
            foreign = otherRelay.entries
        }

        mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

        mutating func step() throws {
            switch number(0..<12) {
            case 0...3:
                for _ in 0..<number(1..<4) { try hub.change(number(0..<1_000), at: &relay) }
            case 4:
                hub.numbers.append(number(0..<1_000))
                hub.eventBytes = number(0..<4) == 0 ? 270_000 : 0
                try hub.publish(to: &relay, crashingAfter: number(1..<4))
                hub.eventBytes = 0
            case 5 where !relay.entries.isEmpty:
                relay.entries.removeLast(number(0..<min(4, relay.entries.count + 1)))
                try hub.publish(to: &relay)
            case 6 where number(0..<4) == 0:
                let other = FeedDevice()
                hub.devices = [device.id: device.box.publicBox, other.id: other.box.publicBox]
                try hub.reconcile(with: relay)
                hub.beginGeneration(at: &relay)
                try hub.publish(to: &relay)
            case 7:
                device.restart()
            case 8:
                hub.restart()
            case 9:
                try lie()
            default:
                try read { device, relay in try device.read(relay) }
            }
            if number(0..<20) == 0 { try meet() }
        }

        private mutating func lie() throws {
            let choice = number(0..<8)
            let offset = number(0..<10_000)
            let foreign = foreign
            try read { device, relay in
                let all = relay
                var served = all.entries(after: device.place.sequence)
                switch choice {
                case 0 where !served.isEmpty: served[0][offset % served[0].count] ^= 1
                case 1: served.reverse()
                case 2: served = Array(served.dropFirst())
                case 3: served = Array(all.entries.prefix(2))
                case 4: served = foreign
                case 5: served = []
                case 6: served = [[UInt8](repeating: 1, count: offset)]
                default:
                    var old = all
                    old.entries = Array(all.entries.prefix(device.place.sequence / 2))
                    return try device.read(old)
                }
                let answer = served
                try device.read(all) { _ in answer }
            }
        }

        private mutating func read(_ body: (inout FeedDevice, RelayMemory) throws -> Void) throws {
            let before = device.place
            if let code = try stop({ try body(&device, relay) }) { codes.insert(code) }
            if device.place != before { updates += 1 }
            try check()
        }

        func check() throws {
            guard device.place != .start else { return }
            let expected = try #require(hub.history[device.place.head], "an entry that the hub never wrote was read")
            #expect(device.numbers == expected)
        }

        mutating func meet() throws {
            if let code = try stop({
                try device.with { reader throws(FeedError) in try reader.met(hubAt: hub.writer.state.place) }
            }) {
                codes.insert(code)
            }
        }

        /// In the end the hub is met, and the relay is honest.
        mutating func finish() throws {
            try hub.publish(to: &relay)
            try meet()
            try device.read(relay)
            #expect(device.numbers == hub.numbers)
            #expect(device.place.head == relay.head.digest)
        }
    }

    @Test(arguments: 0..<24 as Range<UInt64>)
    func aReaderHasWhatTheHubWroteOrStandsStillByName(seed: UInt64) throws {
        var run = try Run(seed: seed)
        for _ in 0..<60 { try run.step() }
        try run.finish()
        // The hub was never set back and nothing was damaged, so only the relay can be at fault.
        #expect(run.codes.isSubset(of: [.relayLies, .relayRolledBack]), "seed \(seed): \(run.codes)")
        #expect(run.updates > 0)
    }
}
