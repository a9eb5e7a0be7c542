import Foundation
import HomeIdentity
import HubAPI
import Testing

@testable import HomeAgent

/// How a person's devices introduce hubs to each other. `Tests/HearthTests/TwoHubsTests.swift` has the whole programs.
struct IntroductionTests {
    /// A device with an agent, as a value.
    private struct Device {
        var introductions = Introductions(done: [])
        var hubs: [Introductions.Hub] = []

        /// Delivers a note to the device.
        mutating func receive(_ body: Data, from peer: Introductions.Peer) -> [Introductions.Action] {
            introductions.received(body, from: peer, hubs)
        }
    }

    private static let home = SealedNote.Hub(
        name: "Hearth on villa",
        key: IdentityKey().publicKey.base64,
        addresses: ["192.168.1.7:51234"],
        person: "Ann"
    )
    private static let friend = SealedNote.Hub(
        name: "Hearth on cabin",
        key: IdentityKey().publicKey.base64,
        addresses: ["192.168.1.9:51234"],
        person: "Ann"
    )

    private static func hub(
        _ card: SealedNote.Hub,
        isOwn: Bool = false,
        waitingKey: Data? = nil,
        devices: [UUID: String] = [:]
    ) -> Introductions.Hub {
        Introductions.Hub(
            id: UUID(),
            card: card,
            isNear: waitingKey == nil,
            isOwn: isOwn,
            waitingKey: waitingKey,
            devices: devices
        )
    }

    private let laptopID = UUID()
    private let tabletID = UUID()
    /// The laptop is at home at one hub, and a guest at another.
    private var laptop = Device()
    /// The tablet has joined the person's own hub.
    private var tablet = Device()

    private var toLaptop: Introductions.Peer { Introductions.Peer(hub: tablet.hubs[0].id, device: laptopID) }
    private var toTablet: Introductions.Peer { Introductions.Peer(hub: laptop.hubs[0].id, device: tabletID) }
    private var friendAtLaptop: UUID { laptop.hubs[1].id }

    init() {
        laptop.hubs = [Self.hub(Self.home, isOwn: true, devices: [tabletID: "Tablet"]), Self.hub(Self.friend)]
        tablet.hubs = [Self.hub(Self.home, isOwn: true, devices: [laptopID: "Laptop"])]
    }

    /// Returns the body of the only note among actions.
    private func body(_ actions: [Introductions.Action], to peer: Introductions.Peer) throws -> Data {
        let bodies = try actions.compactMap { action -> Data? in
            guard case .send(let note, peer) = action else { return nil }
            return try JSONEncoder().encode(note)
        }
        return try #require(bodies.count == 1 ? bodies.first : nil)
    }

    /// Returns what the tablet does when the laptop has introduced the friend's hub.
    private mutating func introduceFriend() throws -> [Introductions.Action] {
        let present = try body(tablet.introductions.arrived(at: toLaptop.hub, tablet.hubs), to: toLaptop)
        let offer = try body(laptop.receive(present, from: toTablet), to: toTablet)
        return tablet.receive(offer, from: toLaptop)
    }

    @Test mutating func aNewDeviceMakesAKeyAndIsVouchedFor() throws {
        #expect(try introduceFriend() == [.prepare(Self.friend, toLaptop)])
        let key = Data(IdentityKey().publicKey.bytes)
        tablet.hubs.append(Self.hub(Self.friend, waitingKey: key))
        let request = try body(tablet.introductions.prepared(Self.friend, for: toLaptop, key: key), to: toLaptop)
        let vouching = VouchForDevice(name: "Tablet", kind: "agent", key: key)
        #expect(laptop.receive(request, from: toTablet) == [.vouch(toTablet, hub: friendAtLaptop, vouching)])
        let done = laptop.introductions.vouched(for: toTablet, at: friendAtLaptop, key: Self.friend.key, nil)
        #expect(done.contains(.store))
        #expect(try tablet.receive(body(done, to: toTablet), from: toLaptop) == [.wake(hub: tablet.hubs[1].id)])
        #expect(laptop.introductions.pending(laptop.hubs).isEmpty)
    }

    @Test mutating func aDeviceThatCameEarlierIsAsked() throws {
        let asks = laptop.introductions.pending(laptop.hubs)
        #expect(asks == [.send(.ask, toTablet)])
        #expect(laptop.introductions.pending(laptop.hubs, over: toTablet.hub) == asks)
        #expect(laptop.introductions.pending(laptop.hubs, over: friendAtLaptop).isEmpty)
        let present = try body(tablet.receive(body(asks, to: toTablet), from: toLaptop), to: toLaptop)
        #expect(
            try tablet.receive(body(laptop.receive(present, from: toTablet), to: toTablet), from: toLaptop).count == 1
        )
    }

    @Test mutating func theSameKeyIsAskedForAgainUntilTheHubHasLetTheDeviceIn() throws {
        let key = Data(IdentityKey().publicKey.bytes)
        tablet.hubs.append(Self.hub(Self.friend, waitingKey: key))
        let request = try body(introduceFriend(), to: toLaptop)
        #expect(
            laptop.receive(request, from: toTablet)
                == [.vouch(toTablet, hub: friendAtLaptop, VouchForDevice(name: "Tablet", kind: "agent", key: key))]
        )
        // The hub was out of reach, and so the laptop asks again later.
        let lost = HubError(.connectionLost, "")
        #expect(laptop.introductions.vouched(for: toTablet, at: friendAtLaptop, key: Self.friend.key, lost).isEmpty)
        #expect(laptop.introductions.pending(laptop.hubs) == [.send(.ask, toTablet)])
    }

    @Test mutating func aHubThatTheDeviceHasJoinedIsNotJoinedAgain() throws {
        tablet.hubs.append(Self.hub(Self.friend))
        let known = try body(introduceFriend(), to: toLaptop)
        #expect(laptop.receive(known, from: toTablet) == [.store])
        #expect(laptop.introductions.pending(laptop.hubs).isEmpty)
    }

    @Test mutating func aHubThatTakesNoMoreDevicesIsGivenUp() throws {
        let key = Data(IdentityKey().publicKey.bytes)
        tablet.hubs.append(Self.hub(Self.friend, waitingKey: key))
        _ = try laptop.receive(body(introduceFriend(), to: toLaptop), from: toTablet)
        let error = HubError(.tooManyDevices, "You have 8 devices.")
        let done = laptop.introductions.vouched(for: toTablet, at: friendAtLaptop, key: Self.friend.key, error)
        let result = try body(done, to: toTablet)
        #expect(
            tablet.receive(result, from: toLaptop)
                == [.giveUp(hub: tablet.hubs[1].id, reason: "You have 8 devices.")]
        )
        // A hub that the device belongs to can't be taken away like this.
        tablet.hubs[1].waitingKey = nil
        #expect(tablet.receive(result, from: toLaptop).isEmpty)
    }

    @Test mutating func aHubWhereThePersonIsAGuestIntroducesNothing() throws {
        laptop.hubs[0].isOwn = false
        let present = try body(tablet.introductions.arrived(at: toLaptop.hub, tablet.hubs), to: toLaptop)
        #expect(laptop.receive(present, from: toTablet).isEmpty)
        #expect(laptop.introductions.arrived(at: toTablet.hub, laptop.hubs).isEmpty)
        #expect(laptop.introductions.pending(laptop.hubs).isEmpty)
        laptop.hubs[0].isOwn = true
        tablet.hubs[0].isOwn = false
        let offer = try body(laptop.receive(present, from: toTablet), to: toTablet)
        #expect(tablet.receive(offer, from: toLaptop).isEmpty)
    }

    @Test mutating func onlyDevicesOfThePersonAndHubsThatWereOfferedCount() throws {
        let key = Data(IdentityKey().publicKey.bytes)
        tablet.hubs.append(Self.hub(Self.friend, waitingKey: key))
        let request = try body(introduceFriend(), to: toLaptop)
        let stranger = Introductions.Peer(hub: toTablet.hub, device: UUID())
        #expect(laptop.receive(request, from: stranger).isEmpty)
        #expect(laptop.receive(Data("{}".utf8), from: toTablet).isEmpty)
        // An agent that has offered nothing vouches for nobody.
        var other = Device(hubs: laptop.hubs)
        #expect(other.receive(request, from: toTablet).isEmpty)
        let damaged = SealedNote.Hub(name: "Hub", key: "AAAA", addresses: [], person: "Ann")
        let far = SealedNote.Hub(name: "Hub", key: IdentityKey().publicKey.base64, addresses: ["nowhere"], person: "")
        for card in [damaged, far] {
            laptop.hubs[1].card = card
            #expect(try introduceFriend().isEmpty)
        }
    }

    @Test func onlyTheReceiverOpensANote() throws {
        let (box, other) = (NoteBox(), NoteBox())
        let note = SealedNote.known(hub: Self.friend.key)
        guard case .sealed(let key, var text) = try #require(NoteBox.seal(note, for: box.publicKey)) else {
            Issue.record("The note isn't sealed.")
            return
        }
        #expect(box.open(key: key, text: text) == note)
        #expect(other.open(key: key, text: text) == nil)
        #expect(NoteBox.seal(note, for: Data([1])) == nil)
        for index in text.indices {
            text[index] ^= 1
            #expect(box.open(key: key, text: text) == nil)
            text[index] ^= 1
        }
    }
}
