import Foundation
import HomeIdentity
import HubAPI
import Logging
import NIOCore
import NetworkDoors
import PeerProcess
import Synchronization
import Testing

@testable import HubNetwork

/// The connection between two hubs over real sockets.
@Suite struct HubLinkTests {
    private static func frame(_ text: String) throws -> HubFrame {
        try #require(HubFrame(.vote, Array(text.utf8)))
    }

    @Test func twoHubsExchangeFrames() async throws {
        let pair = LinkedPair()
        pair.door.state.withLock { _ = $0.hubs.insert(pair.second.publicKey) }
        let first = try LinkEnd(to: pair.second.publicKey, as: pair.first, connects: false)
        try await pair.listen(first) { address in
            let second = try LinkEnd(to: pair.first.publicKey, as: pair.second, connects: true) { [.address(address)] }
            await second.until(.connected)
            await first.until(.connected)
            #expect(second.link.send(try Self.frame("to first")))
            #expect(first.link.send(try Self.frame("to second")))
            await first.until(.frame(try Self.frame("to first")))
            await second.until(.frame(try Self.frame("to second")))
            let large = try #require(HubFrame(.piece, [UInt8](repeating: 7, count: HubLinkLimits.contentBytes)))
            #expect(first.link.send(large))
            await second.until(.frame(large))
            second.link.stop()
            await second.until(.disconnected)
            await first.until(.disconnected)
            #expect(!first.link.send(large))
        }
        first.link.stop()
    }

    @Test func aHubConnectsAgainWhenTheOtherIsBack() async throws {
        let pair = LinkedPair()
        pair.door.state.withLock { _ = $0.hubs.insert(pair.second.publicKey) }
        let address = Mutex<SocketAddress?>(nil)
        let second = try LinkEnd(to: pair.first.publicKey, as: pair.second, connects: true) {
            address.withLock { $0.map { [.address($0)] } ?? [] }
        }
        for _ in 0..<2 {
            let first = try LinkEnd(to: pair.second.publicKey, as: pair.first, connects: false)
            try await pair.listen(first) { place in
                address.withLock { $0 = place }
                second.link.hint()
                await second.until(.connected)
                await first.until(.connected)
            }
            await second.until(.disconnected)
            first.link.stop()
        }
        second.link.stop()
    }

    @Test func eachEndRefusesAnotherKey() async throws {
        let pair = LinkedPair()
        let stranger = IdentityKey()
        pair.door.state.withLock { _ = $0.hubs.insert(pair.second.publicKey) }
        pair.door.add(stranger.publicKey)
        let first = try LinkEnd(to: pair.second.publicKey, as: pair.first, connects: false)
        try await pair.listen(first) { address in
            let ways: @Sendable () -> [HubWay] = { [.address(address)] }
            // A stranger, also one of the hub's devices, is no hub; and whoever isn't the other hub isn't believed.
            let intruder = try LinkEnd(to: pair.first.publicKey, as: stranger, connects: true, ways: ways)
            let misled = try LinkEnd(to: stranger.publicKey, as: pair.second, connects: true, ways: ways)
            let second = try LinkEnd(to: pair.first.publicKey, as: pair.second, connects: true, ways: ways)
            await second.until(.connected)
            await first.until(.connected)
            let probe = try Self.frame("nobody hears this")
            #expect(!intruder.link.send(probe))
            #expect(!misled.link.send(probe))
            for end in [intruder, misled, second] { end.link.stop() }
        }
        first.link.stop()
    }

    @Test func aHubIsServedNoSessionAndADeviceNoLink() async throws {
        let pair = LinkedPair()
        pair.door.state.withLock { _ = $0.hubs.insert(pair.second.publicKey) }
        let first = try LinkEnd(to: pair.second.publicKey, as: pair.first, connects: false)
        try await pair.listen(first) { address in
            let transport = LinkTransport(to: address, as: try LinkIdentity(pair.second), hubs: [pair.first.publicKey])
            let link = TestLink(over: transport)
            await #expect(throws: HubError.self) { try await link.call("session.hello") }
        }
        first.link.stop()
    }

    @Test func aHubThatReadsNothingHoldsBackTheOther() async throws {
        let pair = LinkedPair()
        pair.door.state.withLock { _ = $0.hubs.insert(pair.second.publicKey) }
        // It keeps what comes, as one that is busy does.
        let first = try LinkEnd(to: pair.second.publicKey, as: pair.first, connects: false, handles: false)
        try await pair.listen(first) { address in
            let second = try LinkEnd(to: pair.first.publicKey, as: pair.second, connects: true) { [.address(address)] }
            await second.until(.connected)
            let piece = try #require(HubFrame(.piece, [UInt8](repeating: 7, count: HubLinkLimits.contentBytes)))
            var sent = 0
            // The kernel's buffers and a busy event loop take some, so the end comes later than the limits alone would have it.
            while true {
                if second.link.send(piece) {
                    sent += 1
                } else if !first.link.isReading {
                    break
                } else {
                    try await Task.sleep(for: .milliseconds(5))
                }
            }
            for _ in 0..<sent { first.link.handled(piece) }
            // Some of what it was told of is from before.
            while !second.link.send(piece) { await second.until(.room) }
            second.link.stop()
        }
        first.link.stop()
    }

    @Test func aFloodLeavesNoMoreUnhandledThanTheLimitAndOneFrame() async throws {
        let pair = LinkedPair()
        pair.door.state.withLock { _ = $0.hubs.insert(pair.second.publicKey) }
        let delivered = Mutex(0)
        // It handles nothing, and counts what it would have to keep.
        let first = HubLink(
            to: pair.second.publicKey,
            as: try LinkIdentity(pair.first),
            connects: false,
            ways: { [] },
            log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        ) { event in
            if case .frame(let frame) = event { delivered.withLock { $0 += frame.size } }
        }
        first.begin()
        try await pair.listen(first) { address in
            let second = try LinkEnd(to: pair.first.publicKey, as: pair.second, connects: true) { [.address(address)] }
            await second.until(.connected)
            // Many fit into what is read at once.
            let frame = try #require(HubFrame(.vote, [UInt8](repeating: 7, count: 1_000)))
            while first.isReading {
                if !second.link.send(frame) { try await Task.sleep(for: .milliseconds(1)) }
            }
            // What was sent before is on its way, and more.
            for _ in 0..<1_000 { second.link.send(frame) }
            try await Wait.until("the first hub has what it reads") {
                delivered.withLock { $0 } > HubLinkLimits.unhandledBytes
            }
            #expect(delivered.withLock { $0 } <= HubLinkLimits.unhandledBytes + frame.size)
            // As much as it handles, it reads again.
            let count = delivered.withLock { $0 } / frame.size
            for _ in 0..<count { first.handled(frame) }
            try await Wait.until("the first hub reads again") {
                delivered.withLock { $0 } > HubLinkLimits.unhandledBytes + frame.size
            }
            second.link.stop()
        }
        first.stop()
    }

    @Test func messagesArriveWholeAndInOrderUpToTheLimit() async throws {
        let pair = LinkedPair()
        pair.door.state.withLock { _ = $0.hubs.insert(pair.second.publicKey) }
        let first = try LinkEnd(to: pair.second.publicKey, as: pair.first, connects: false)
        try await pair.listen(first) { address in
            let second = try LinkEnd(to: pair.first.publicKey, as: pair.second, connects: true) { [.address(address)] }
            await second.until(.connected)
            let limit = HubLinkLimits.unsentBytes * 2
            let sender = HubMessages(over: second.link, as: .request, maximumBytes: limit)
            let receiver = HubMessages(over: first.link, as: .request, maximumBytes: limit)
            let sizes = [0, 1, HubLinkLimits.pieceBytes, HubLinkLimits.pieceBytes + 1, limit]
            #expect(!sender.send([UInt8](repeating: 7, count: limit + 1)))
            for size in sizes { #expect(sender.send([UInt8](repeating: UInt8(size % 251), count: size))) }
            let sending = Task {
                for await event in second.events { _ = sender.handle(event) }
            }
            var received: [[UInt8]] = []
            for await event in first.events {
                if let message = receiver.handle(event) { received.append(message) }
                if case .frame(let frame) = event { first.link.handled(frame) }
                if received.count == sizes.count { break }
            }
            #expect(received.map(\.count) == sizes)
            #expect(zip(received, sizes).allSatisfy { message, size in message.allSatisfy { $0 == UInt8(size % 251) } })
            second.link.stop()
            sending.cancel()
        }
        first.link.stop()
    }
}
