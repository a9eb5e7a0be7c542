import Foundation
import HomeIdentity
import Synchronization
import Testing

@testable import HomeHub

/// The doors at the relay through which invited devices come.
struct DoorTests {
    private let relay = RelayPlace(relay: "https://relay.example.org", house: .random())
    private let now = Date(timeIntervalSince1970: 1_790_000_000)

    private func table() -> DoorTable {
        let table = DoorTable { [now] in now }
        table.setRelay(relay)
        return table
    }

    @Test func aDoorIsOpenForEverybodyUntilTheInvitationEndsAndThenForOneDevice() throws {
        let table = table()
        let (invitation, device, other) = (UUID(), IdentityKey().publicKey, IdentityKey().publicKey)
        let door = try #require(table.make(for: invitation, until: now + 60))
        #expect(door.relay == relay.relay && door.house == relay.house)
        let key = door.key.publicKey
        #expect(table.open.map(\.key) == [key] && table.open.map(\.seconds) == [60])
        for each in [device, other] { #expect(table.invitation(ofDoor: key, for: each) == invitation) }
        #expect(table.invitation(ofDoor: IdentityKey().publicKey, for: device) == nil)
        table.keep(invitation, for: device)
        #expect(table.invitation(ofDoor: key, for: device) == invitation)
        #expect(table.invitation(ofDoor: key, for: other) == nil)
        // It is open no longer than the invitation would have been, and less if it is told so.
        table.keep(invitation, for: device, within: 600)
        #expect(table.open.map(\.seconds) == [60])
        table.keep(invitation, for: device, within: 10)
        #expect(table.open.map(\.seconds) == [10])
        #expect(table.close(for: other).isEmpty && table.close(for: device) == [invitation])
        #expect(table.open.isEmpty && table.invitation(ofDoor: key, for: device) == nil)
    }

    @Test func aDoorClosesWithItsTime() throws {
        let time = Mutex(now)
        let moved = DoorTable { time.withLock { $0 } }
        moved.setRelay(relay)
        let (invitation, device) = (UUID(), IdentityKey().publicKey)
        let key = try #require(moved.make(for: invitation, until: now + 60)).key.publicKey
        time.withLock { $0 += 59.5 }
        #expect(moved.open.map(\.seconds) == [1] && moved.invitation(ofDoor: key, for: device) == invitation)
        time.withLock { $0 += 0.5 }
        #expect(moved.open.isEmpty && moved.invitation(ofDoor: key, for: device) == nil)
    }

    @Test func thereAreAsManyDoorsAsARelayTakes() throws {
        let table = table()
        for _ in 0..<DeviceLimits.doors { #expect(table.make(for: UUID(), until: now + 60) != nil) }
        #expect(table.make(for: UUID(), until: now + 60) == nil)
        #expect(table.open.count == DeviceLimits.doors)
    }

    @Test func aDoorIsAtOneRelayAlone() throws {
        let table = table()
        let invitation = UUID()
        let key = try #require(table.make(for: invitation, until: now + 60)).key.publicKey
        for place in [nil, RelayPlace(relay: relay.relay, house: .random())] {
            table.setRelay(place)
            #expect(table.open.isEmpty && table.invitation(ofDoor: key, for: key) == nil)
            #expect(table.hasRelay == (place != nil))
        }
        #expect(DoorTable { Date() }.make(for: invitation, until: now) == nil)
        table.setRelay(relay)
        #expect(table.open.map(\.key) == [key])
        // A longer address is none for a link.
        let long = "https://" + String(repeating: "a", count: RelayDoor.maximumAddressBytes - 7)
        table.setRelay(RelayPlace(relay: long, house: .random()))
        #expect(table.make(for: UUID(), until: now + 60) == nil)
    }

    @Test func aDoorStaysOpenWhileTheRelayIsAboutToHaveAnotherKey() throws {
        let table = table()
        let (invitation, pins) = (UUID(), ["#pin=AAAAAAAAAAAAAAAAAAAAAA", "&pin=BAAAAAAAAAAAAAAAAAAAAA"])
        let address = { (pins: String) in RelayPlace(relay: relay.relay + pins, house: relay.house) }
        table.setRelay(address(pins[0]))
        let key = try #require(table.make(for: invitation, until: now + 60)).key.publicKey
        for place in [address(pins.joined()), address("#pin=BAAAAAAAAAAAAAAAAAAAAA")] {
            table.setRelay(place)
            #expect(table.open.map(\.key) == [key] && table.invitation(ofDoor: key, for: key) == invitation)
        }
    }

    @Test func changesOfDoorsAreToldAndNothingElse() async throws {
        let table = table()
        var changes = table.changes.makeAsyncIterator()
        table.setRelay(relay)
        table.close(UUID())
        let invitation = UUID()
        _ = table.make(for: invitation, until: now + 60)
        #expect(await changes.next() != nil)
        table.close(invitation)
        #expect(await changes.next() != nil)
        table.finish()
        #expect(await changes.next() == nil)
    }
}
