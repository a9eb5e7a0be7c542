import Foundation
import HAP
package import HomeIdentity
package import Synchronization

/// A hub's devices and invitations, in memory.
package final class TestDoor: NetworkDoor {
    /// What the hub knows.
    package struct State {
        package var devices: Set<PublicKey> = []
        package var removed: Set<PublicKey> = []
        package var hubs: Set<PublicKey> = []
        package var invitations: [InvitationID: JoinInvitation] = [:]
        /// The invitation that is open by a code.
        package var open: InvitationID?
        package var triesLeft: [InvitationID: Int] = [:]
        package var countedTries = 0
        package var joined: [PublicKey: JoinRequest] = [:]
        package var digits: [PublicKey: CheckDigits] = [:]
    }

    /// What the hub knows now.
    package let state = Mutex(State())

    /// Creates a hub without devices.
    package init() {}

    /// The code of ``invite(tries:)``.
    package static let code = InvitationSecret.code((try? SetupCode("482-11-957")) ?? .random())
    /// The verifier of ``code``.
    package static let codeVerifier = JoinVerifier(code)

    /// The number of wrong tries.
    package var countedTries: Int { state.withLock { $0.countedTries } }

    /// Adds a device.
    package func add(_ key: PublicKey) {
        state.withLock { _ = $0.devices.insert(key) }
    }

    /// Removes a device.
    package func remove(_ key: PublicKey) {
        state.withLock {
            $0.devices.remove(key)
            $0.removed.insert(key)
        }
    }

    /// Opens the invitation by ``code``, or by another code.
    @discardableResult
    package func invite(tries: Int = 5, verifier: JoinVerifier = codeVerifier) -> InvitationID {
        let id = InvitationID(UUID())
        state.withLock {
            $0.invitations[id] = JoinInvitation(id: id, verifier: verifier, comparesDigits: false)
            $0.open = id
            $0.triesLeft[id] = tries
        }
        return id
    }

    /// Answers as a hub does.
    package func standing(of key: PublicKey) -> KeyStanding {
        state.withLock { state in
            if state.devices.contains(key) { return .device }
            if state.hubs.contains(key) { return .hub }
            if state.removed.contains(key) { return .removed }
            return state.invitations.isEmpty ? .unknown : .joining
        }
    }

    /// Answers as a hub does.
    package func invitation(_ id: InvitationID?) throws(JoinFailure) -> JoinInvitation {
        let found = state.withLock { state -> JoinInvitation? in
            guard let id = id ?? state.open, state.triesLeft[id] ?? 0 > 0 else { return nil }
            return state.invitations[id]
        }
        guard let found else { throw .invitationEnded }
        return found
    }

    /// Answers as a hub does.
    package func countTry(of id: InvitationID) throws(JoinFailure) -> Int {
        let left = state.withLock { state -> Int? in
            guard let left = state.triesLeft[id], left > 0 else { return nil }
            state.countedTries += 1
            state.triesLeft[id] = left - 1
            return left - 1
        }
        guard let left else { throw .invitationEnded }
        return left
    }

    /// Answers as a hub does.
    package func join(
        _ request: JoinRequest,
        by key: PublicKey,
        with id: InvitationID,
        digits: CheckDigits
    ) throws(JoinFailure) -> JoinReply {
        let isOpen = state.withLock { state in
            guard state.triesLeft[id] ?? 0 > 0 else { return false }
            state.devices.insert(key)
            state.joined[key] = request
            state.digits[key] = digits
            return true
        }
        guard isOpen else { throw .invitationEnded }
        return JoinReply(hubName: "Villa", user: UUID(), userName: "Ann", device: UUID(), state: .joined)
    }
}
