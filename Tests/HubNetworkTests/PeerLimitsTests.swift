import HAP
import NIOCore
import Testing

@testable import HubNetwork

@Suite struct PeerLimitsTests {
    /// The limits of a hub. A class, because expectations can't change a value.
    private final class Usage {
        private var limits: PeerLimits<String>

        init(_ change: (inout NetworkLimits) -> Void) {
            var limits = NetworkLimits()
            change(&limits)
            self.limits = PeerLimits(limits, at: 0)
        }

        var rememberedCount: Int { limits.rememberedCount }

        func connect(from address: String, at now: Double) -> PeerLimits<String>.Refusal? {
            limits.connect(from: address, at: now)
        }

        func request(of device: String, isGuest: Bool, at now: Double) -> Double? {
            limits.request(of: device, isGuest: isGuest, at: now)
        }

        func beginJoin(from address: String, at now: Double) -> Bool { limits.beginJoin(from: address, at: now) }
        func begin(of device: String) -> Bool { limits.begin(of: device) }
        func greeted(from address: String) { limits.greeted(from: address) }
        func end(of device: String) { limits.end(of: device) }
        func endJoin() { limits.endJoin() }
    }

    private func limits(_ change: (inout NetworkLimits) -> Void = { _ in }) -> Usage {
        Usage(change)
    }

    @Test func anAddressOpensFortyConnectionsAtOnceAndTwentyASecond() {
        let limits = limits { $0.strangers = 1_000 }
        for _ in 0..<40 { #expect(limits.connect(from: "a", at: 0) == nil) }
        #expect(limits.connect(from: "a", at: 0) == .tooFast)
        #expect(limits.connect(from: "b", at: 0) == nil)
        for _ in 0..<20 { #expect(limits.connect(from: "a", at: 1) == nil) }
        #expect(limits.connect(from: "a", at: 1) == .tooFast)
    }

    @Test func anAddressHasSixtyFourStrangers() {
        let limits = limits { $0.handshakes = PeerRate(perSecond: 1_000, burst: 1_000) }
        for _ in 0..<64 { #expect(limits.connect(from: "a", at: 0) == nil) }
        #expect(limits.connect(from: "a", at: 0) == .tooManyStrangers)
        #expect(limits.connect(from: "b", at: 0) == nil)
        limits.greeted(from: "a")
        #expect(limits.connect(from: "a", at: 0) == nil)
        #expect(limits.connect(from: "a", at: 0) == .tooManyStrangers)
    }

    @Test func allStrangersTogetherAreLimited() {
        let limits = limits { $0.allStrangers = 3 }
        for address in ["a", "b", "c"] { #expect(limits.connect(from: address, at: 0) == nil) }
        #expect(limits.connect(from: "d", at: 0) == .tooManyStrangers)
        limits.greeted(from: "b")
        #expect(limits.connect(from: "d", at: 0) == nil)
    }

    @Test func requestsAreLimitedByDeviceAndRole() {
        let limits = limits()
        for _ in 0..<1_000 { #expect(limits.request(of: "laptop", isGuest: false, at: 0) == nil) }
        let wait = limits.request(of: "laptop", isGuest: false, at: 0)
        #expect(wait == 0.005)
        for _ in 0..<200 { #expect(limits.request(of: "guest", isGuest: true, at: 0) == nil) }
        #expect(limits.request(of: "guest", isGuest: true, at: 0) == 0.02)
        for _ in 0..<50 { #expect(limits.request(of: "guest", isGuest: true, at: 1) == nil) }
        #expect(limits.request(of: "guest", isGuest: true, at: 1) != nil)
    }

    @Test func aDeviceHasSixtyFourConnections() {
        let limits = limits()
        for _ in 0..<64 { #expect(limits.begin(of: "laptop")) }
        #expect(!limits.begin(of: "laptop"))
        #expect(limits.begin(of: "phone"))
        limits.end(of: "laptop")
        #expect(limits.begin(of: "laptop"))
    }

    @Test func twoJoinsAreComputedAtATimeAndTenASecond() {
        let limits = limits { $0.joinsOfAddress = PeerRate(perSecond: 100, burst: 100) }
        #expect(limits.beginJoin(from: "a", at: 0))
        #expect(limits.beginJoin(from: "b", at: 0))
        #expect(!limits.beginJoin(from: "c", at: 0))
        limits.endJoin()
        for _ in 0..<8 {
            #expect(limits.beginJoin(from: "c", at: 0))
            limits.endJoin()
        }
        #expect(!limits.beginJoin(from: "c", at: 0))
        #expect(limits.beginJoin(from: "c", at: 0.11))
    }

    @Test func oneAddressDoesNotUseUpTheJoinsOfAll() {
        let limits = limits()
        for number in 0..<20 {
            let isAllowed = limits.beginJoin(from: "a", at: 0)
            #expect(isAllowed == (number < 6))
            if isAllowed { limits.endJoin() }
        }
        #expect(limits.beginJoin(from: "b", at: 0))
    }

    @Test func whatIsRememberedStaysSmall() {
        let limits = limits { $0.allStrangers = 100_000 }
        var refused = 0
        for number in 0..<10_000 {
            if limits.connect(from: "\(number)", at: 0) == nil {
                limits.greeted(from: "\(number)")
            } else {
                refused += 1
            }
        }
        #expect(limits.rememberedCount <= 1_024)
        #expect(refused == 10_000 - 1_024)
        // Those that have rested are forgotten.
        #expect(limits.connect(from: "new", at: 10) == nil)
        #expect(limits.rememberedCount == 2)
    }

    @Test func aClockThatGoesBackGivesNothing() {
        var bucket = TokenBucket(PeerRate(perSecond: 1, burst: 1), at: 100)
        let waits = [100, 0, 100.5, 101].map { bucket.take(at: $0) }
        #expect(waits == [nil, 1, 0.5, nil])
    }

    @Test(arguments: [
        ("127.0.0.1", true), ("10.1.2.3", true), ("172.16.0.1", true), ("172.32.0.1", false), ("192.168.0.9", true),
        ("192.169.0.9", false), ("100.64.0.1", true), ("100.128.0.1", false), ("169.254.3.4", true),
        ("203.0.113.9", false), ("::1", true), ("fe80::1", true), ("fd00::1", true), ("2001:db8::1", false),
        ("::ffff:192.168.1.1", true), ("::ffff:203.0.113.9", false),
    ])
    func peersWithPublicAddressesAreRefused(address: String, isAllowed: Bool) throws {
        let address = try SocketAddress(ipAddress: address, port: 1)
        #expect(NetworkScope.local.contains(address) == isAllowed)
        #expect(NetworkScope.any.contains(address))
    }

    @Test func anIPv6NetworkIsTheFirstHalfOfItsAddresses() throws {
        func network(_ address: String) throws -> String { try SocketAddress(ipAddress: address, port: 1).network }
        #expect(try network("fd00::1") == network("fd00::2:3:4:5"))
        #expect(try network("fd00::1") != network("fd00:0:0:1::1"))
        #expect(try network("10.0.0.1") != network("10.0.0.2"))
        #expect(try network("::ffff:10.0.0.1") == network("10.0.0.1"))
    }
}
