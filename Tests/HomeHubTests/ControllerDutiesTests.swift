import Foundation
import HAP
import HomeIdentity
import Testing

@testable import HomeHub

/// What is owed to other hubs, as a value.
@Suite struct ControllerDutiesTests {
    private let home = UUID()
    private let hub = UUID()
    private let lamp = DeviceID.random()
    private let lock = DeviceID.random()
    private let own = Pairing(
        controllerID: IdentityKey().controller(of: UUID()).pairingID,
        publicKey: LongTermKeyPair.random().publicKey,
        permissions: .admin
    )

    private var members: Set<DeviceID> { [lamp, lock] }

    private func controller(of hub: UUID? = nil, in home: UUID? = nil) -> HubController {
        let identity = IdentityKey().controller(of: home ?? self.home)
        return HubController(
            hub: hub ?? self.hub,
            home: home ?? self.home,
            pairingID: identity.pairingID,
            publicKey: identity.keyPair.publicKey
        )
    }

    @Test func withoutAnotherHubNothingIsOwed() {
        var duties = ControllerDuties()
        #expect(duties.isEmpty)
        #expect(!duties.concerns(lamp, in: home))
        #expect(duties.receive([own], from: lamp, in: home) == [])
        #expect(duties.owed(by: members, in: home).isEmpty)
    }

    @Test func aPairingIsOwedUntilTheAccessoryHasIt() {
        var duties = ControllerDuties()
        let other = controller()
        #expect(duties.add(other, members: members) == true)
        #expect(duties.add(other, members: members) == false)
        #expect(duties.owed(by: members, in: home) == members)
        #expect(duties.receive([own], from: lamp, in: home) == [.add(other.pairing)])
        // An interruption here owes it still.
        #expect(duties.owed(by: members, in: home) == members)
        duties.did(.add(other.pairing), at: lamp)
        #expect(duties.owed(by: members, in: home) == [lock])
        #expect(duties.receive([own, other.pairing], from: lock, in: home) == [])
        #expect(duties.owed(by: members, in: home).isEmpty)
    }

    @Test func whatTheAccessoryHasLostIsOwedAgain() {
        var duties = ControllerDuties()
        let other = controller()
        _ = duties.add(other, members: members)
        duties.did(.add(other.pairing), at: lamp)
        #expect(duties.receive([own], from: lamp, in: home) == [.add(other.pairing)])
        #expect(duties.owed(by: [lamp], in: home) == [lamp])
        // So is an admin's right.
        let guest = Pairing(controllerID: other.pairingID, publicKey: other.publicKey, permissions: .user)
        #expect(duties.receive([own, guest], from: lamp, in: home) == [.add(other.pairing)])
    }

    @Test func anotherKeyIsRemovedFirst() {
        var duties = ControllerDuties()
        let other = controller()
        _ = duties.add(other, members: members)
        let wrong = Pairing(controllerID: other.pairingID, publicKey: own.publicKey, permissions: .admin)
        #expect(
            duties.receive([wrong, own], from: lamp, in: home) == [.remove(other.pairingID), .add(other.pairing)]
        )
    }

    @Test func aHubThatLeftIsRemovedEverywhereAlsoWhereNothingWasRecorded() {
        var duties = ControllerDuties()
        let other = controller()
        _ = duties.add(other, members: members)
        duties.did(.add(other.pairing), at: lamp)
        #expect(duties.remove(hub: hub, members: [home: members]) == true)
        #expect(duties.remove(hub: hub, members: [home: members]) == false)
        #expect(duties.owed(by: members, in: home) == members)
        #expect(duties.receive([own, other.pairing], from: lamp, in: home) == [.remove(other.pairingID)])
        duties.did(.remove(other.pairingID), at: lamp)
        #expect(duties.owed(by: members, in: home) == [lock])
        #expect(duties.receive([own], from: lock, in: home) == [])
        #expect(duties.isEmpty)
    }

    @Test func othersControllersAreNeverRemoved() {
        var duties = ControllerDuties()
        let (other, stranger) = (controller(), controller(of: UUID()))
        _ = duties.add(other, members: members)
        _ = duties.remove(hub: hub, members: [home: members])
        #expect(
            duties.receive([own, stranger.pairing, other.pairing], from: lamp, in: home) == [.remove(other.pairingID)]
        )
        #expect(duties.removals(ofAllIn: [own, stranger.pairing, other.pairing]) == [other.pairingID])
    }

    @Test func aHubThatComesBackIsNotRemoved() {
        var duties = ControllerDuties()
        let other = controller()
        _ = duties.add(other, members: members)
        _ = duties.remove(hub: hub, members: [home: members])
        #expect(duties.add(other, members: members) == true)
        #expect(duties.departed.isEmpty)
        #expect(duties.receive([own, other.pairing], from: lamp, in: home) == [])
    }

    @Test func aHubWithANewKeyReplacesTheOld() {
        var duties = ControllerDuties()
        let (old, new) = (controller(), controller())
        _ = duties.add(old, members: members)
        #expect(duties.add(new, members: members) == true)
        #expect(
            duties.receive([old.pairing, own], from: lamp, in: home) == [.remove(old.pairingID), .add(new.pairing)]
        )
    }

    @Test func onlyTheHomesAccessoriesGetAPairing() {
        var duties = ControllerDuties()
        _ = duties.add(controller(in: UUID()), members: [])
        #expect(!duties.concerns(lamp, in: home))
        #expect(duties.receive([own], from: lamp, in: home) == [])
        #expect(duties.owed(by: members, in: home).isEmpty)
    }

    @Test func aFullAccessoryIsRememberedUntilItHasRoom() {
        var duties = ControllerDuties()
        let other = controller()
        _ = duties.add(other, members: members)
        _ = duties.receive([own], from: lamp, in: home)
        duties.setFull(lamp)
        #expect(duties.full == [lamp])
        // It is asked again whenever it connects.
        #expect(duties.receive([own], from: lamp, in: home) == [.add(other.pairing)])
        #expect(duties.full == [lamp])
        duties.did(.add(other.pairing), at: lamp)
        #expect(duties.full.isEmpty)
        duties.setFull(lock)
        _ = duties.remove(hub: hub, members: [home: members])
        #expect(duties.full.isEmpty)
    }

    @Test func anAccessoryThatIsGoneOwesNothing() {
        var duties = ControllerDuties()
        let other = controller()
        _ = duties.add(other, members: members)
        duties.did(.add(other.pairing), at: lamp)
        duties.setFull(lamp)
        _ = duties.remove(hub: hub, members: [home: [lamp]])
        duties.forget(lamp)
        #expect(duties == ControllerDuties())
    }

    @Test func thereIsALimit() {
        var duties = ControllerDuties()
        for _ in 0..<ControllerDuties.maximumControllers {
            let isAdded = duties.add(controller(in: UUID()), members: [])
            #expect(isAdded)
        }
        #expect(duties.add(controller(), members: []) == false)
        #expect(duties.controllers.count == ControllerDuties.maximumControllers)
    }

    @Test func itLastsOverARestart() throws {
        var duties = ControllerDuties()
        let (first, second) = (controller(), controller(of: UUID()))
        _ = duties.add(first, members: members)
        _ = duties.add(second, members: members)
        duties.did(.add(first.pairing), at: lamp)
        duties.setFull(lock)
        _ = duties.remove(hub: hub, members: [home: members])
        #expect(!duties.departed.isEmpty && !duties.controllers.isEmpty)
        let stored = try JSONEncoder().encode(duties)
        #expect(try JSONDecoder().decode(ControllerDuties.self, from: stored) == duties)
    }
}
