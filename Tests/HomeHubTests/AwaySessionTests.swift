import Foundation
import HAPCatalog
import HomeModel
import HubAPI
import LocalRPC
import PeerProcess
import Testing

@testable import HomeHub

/// What a hub does for sessions that come through a relay: nothing late, nothing twice, and nothing for who may not.
struct AwaySessionTests {
    /// A connection whose requests have exactly what a test gives them.
    private final class Line: Sendable {
        // This is a class because it is one connection.

        struct Heard: Sendable {
            var replies: [Int: Result<Data, HubError>] = [:]
            var closed: HubError?
        }

        private let session: HubSession
        let heard: AwaitableValue<Heard>

        init(to hub: HomeHub, _ authority: SessionAuthority) {
            let heard = AwaitableValue(Heard())
            self.heard = heard
            session = hub.accept(as: authority) { message in
                switch message {
                case .reply(let id, let reply): heard.change { $0.replies[id] = reply.result }
                case .closed(let error): heard.change { $0.closed = error }
                case .event: break
                }
            }
        }

        func send<Parameters, Result>(
            _ id: Int,
            _ method: Method<Parameters, Result>,
            _ parameters: Parameters,
            key: UUID? = nil,
            until: Int64? = nil
        ) async throws -> Swift.Result<Data, HubError> {
            // The hub compares the bytes of a repetition.
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            let body = try encoder.encode(parameters)
            session.receive(HubRequest(id: id, method: method.name, parameters: body, key: key, until: until))
            let all = try await heard.until { $0.replies[id] != nil || $0.closed != nil }
            return try #require(all.replies[id] ?? all.closed.map { .failure($0) })
        }

        func close() { session.close() }
    }

    private static func code(_ result: Result<Data, HubError>) -> HubError.Code? {
        if case .failure(let error) = result { error.code } else { nil }
    }

    private static func away(_ hub: HomeHub, as user: UUID? = nil) -> SessionAuthority {
        SessionAuthority(user: user ?? hub.owner.user, device: hub.owner.device, client: .device, way: .away)
    }

    private static func greeted(_ hub: HomeHub, as user: UUID? = nil) async throws -> (Line, Welcome) {
        let line = Line(to: hub, away(hub, as: user))
        let reply = try await line.send(0, HubMethods.hello, Hello(app: "hearth", purpose: ""))
        return (line, try MessageJSON.decode(Welcome.self, from: reply.get()))
    }

    private static func addHome(_ hub: HomeHub) async throws -> UUID {
        let owner = HubConnection(over: InProcessTransport(to: hub, as: .person(on: hub)))
        defer { owner.close() }
        _ = try await owner.call(HubMethods.hello, Hello(app: "hearth", purpose: ""))
        return try await owner.call(HubMethods.addHome, AddHome(name: "Villa")).id
    }

    @Test func aRequestFromAwayNeedsATimeThatIsNotOver() async throws {
        try await withHub { hub in
            let home = try await Self.addHome(hub)
            let (line, welcome) = try await Self.greeted(hub)
            let clock = try #require(welcome.clock)
            let room = InHome(home, AddRoom(name: "Attic"))
            #expect(Self.code(try await line.send(1, HubMethods.addRoom, room)) == .malformedMessage)
            for until in [.min, 0, clock - 1, clock + 60_000, .max] as [Int64] {
                let reply = try await line.send(2, HubMethods.addRoom, room, key: UUID(), until: until)
                #expect(Self.code(reply) == .expired, "\(until)")
                line.heard.change { $0.replies[2] = nil }
            }
            #expect(await hub.database.home(home)?.rooms.isEmpty == true)
            let until = clock + HubProtocol.longestValidity
            let reading = try await line.send(3, HubMethods.runningClock, Empty(), until: until)
            #expect(try MessageJSON.decode(ClockReading.self, from: reading.get()).clock >= clock)
            line.close()
        }
    }

    @Test func whatWasDoneInTimeIsAnsweredLaterAndWhatWasNotIsNeverDone() async throws {
        try await withHub { hub in
            let home = try await Self.addHome(hub)
            let (line, welcome) = try await Self.greeted(hub)
            let clock = try #require(welcome.clock)
            let (done, late) = (UUID(), UUID())
            let attic = InHome(home, AddRoom(name: "Attic"))
            let first = try await line.send(1, HubMethods.addRoom, attic, key: done, until: clock + 10_000).get()
            line.close()
            // The reply was lost, and the device asks again after the time.
            let (next, _) = try await Self.greeted(hub)
            #expect(try await next.send(1, HubMethods.addRoom, attic, key: done, until: clock - 1).get() == first)
            // A request that was held on its way isn't done, also not when it comes again with more time.
            let cellar = InHome(home, AddRoom(name: "Cellar"))
            #expect(
                Self.code(try await next.send(2, HubMethods.addRoom, cellar, key: late, until: clock - 1)) == .expired
            )
            let now = RunningClock.now + 10_000
            #expect(Self.code(try await next.send(3, HubMethods.addRoom, cellar, key: late, until: now)) == .expired)
            #expect(await hub.database.home(home)?.rooms.map(\.name) == ["Attic"])
            next.close()
        }
    }

    @Test func whoMayNotBeAwayIsLetGoOfAtOnce() async throws {
        try await withHub { hub in
            let home = try await Self.addHome(hub)
            let owner = HubConnection(over: InProcessTransport(to: hub, as: .person(on: hub)))
            _ = try await owner.call(HubMethods.hello, Hello(app: "hearth", purpose: ""))
            let guest = try await owner.call(HubMethods.addUser, AddHomeUser(home: home, name: "Ben", role: .guest)).id
            let user = try #require(await hub.database.home(home)?.users.first { $0.name == "Ben" }).id
            #expect(!hub.mayBeAway(user) && hub.mayBeAway(hub.owner.user))
            let refused = Line(to: hub, Self.away(hub, as: user))
            let reply = try await refused.send(0, HubMethods.hello, Hello(app: "hearth", purpose: ""))
            #expect(Self.code(reply) == .notHere)

            func allow(_ isAllowed: Bool) async throws {
                _ = try await owner.call(HubMethods.setMayBeAway, InHome(home, SetMayBeAway(isAllowed, of: guest)))
            }
            try await allow(true)
            let (line, _) = try await Self.greeted(hub, as: user)
            // An administrator may by role, and the owner always may.
            try await allow(false)
            #expect(try await line.heard.until { $0.closed != nil }.closed?.code == .notHere)
            let own = try #require(await hub.database.home(home)?.users.first { $0.role == .owner }).id
            #expect(own == hub.owner.user)
            owner.close()
        }
    }

    @Test func theLatestValueOfEachCharacteristicIsGatheredAndEachPressCounts() {
        let home = UUID()
        let (lamp, button) = (UUID(), UUID())
        func update(_ accessory: UUID, _ value: Int64) -> ValueUpdate {
            let characteristic = CharacteristicReference(accessory: accessory, iid: 9)
            return ValueUpdate(home: home, characteristic: characteristic, value: .integer(value))
        }
        var gathering = ValueGathering()
        gathering.add([update(lamp, 1), update(button, 0)]) { $0 == 1 }
        gathering.add([update(button, 0)]) { _ in true }
        gathering.add([update(lamp, 2)]) { _ in false }
        gathering.add([update(button, 1)]) { _ in true }
        gathering.add([update(lamp, 3)]) { _ in false }
        #expect(
            gathering.drain() == [update(button, 0), update(button, 0), update(button, 1), update(lamp, 3)]
        )
        #expect(gathering.isEmpty && gathering.drain() == [])
    }
}
