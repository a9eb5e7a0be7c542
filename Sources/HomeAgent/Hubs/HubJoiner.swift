import DNSSD
import Foundation
import HomeIdentity
package import HubAPI
import HubNetwork
package import Logging
import NIOCore

/// Joins hubs with invitations: reads what the person typed, finds the hub and proves the secret.
package struct HubJoiner: Sendable {
    private let ways: WayFinder
    private let log: Logger
    /// The time for a hub to announce itself, for a code.
    private let searchTime: Duration
    /// The time for further hubs to announce themselves. The first one may be a neighbour's.
    private let furtherTime: Duration

    /// Checks the form of an invitation.
    ///
    /// - Throws: ``HubError`` with `wrongInvitationCode` if it is neither a code nor a link.
    package static func check(_ invitation: String) throws(HubError) {
        _ = try TypedInvitation(invitation)
    }

    /// Returns the relay through which a link leads; `nil` if it leads to the hub's network alone.
    package static func relay(of link: String) -> String? { (try? TypedInvitation(link))?.door?.relay }

    /// Creates a joiner.
    package init(
        _ ways: WayFinder,
        searchTime: Duration = .seconds(5),
        furtherTime: Duration = .seconds(2),
        log: Logger = Logger(label: "hearth.agent")
    ) {
        self.ways = ways
        self.log = log
        self.searchTime = searchTime
        self.furtherTime = furtherTime
    }

    /// Joins a hub.
    ///
    /// - Parameters:
    ///   - parameters: What the person typed.
    ///   - prepare: A closure that stores what is known of a hub before the hub may let the device in.
    /// - Returns: What the device stores, and the six digits that people compare if the device waits to be let in.
    package func join(
        _ parameters: JoinHub,
        prepare: @escaping @Sendable (StoredHub) throws(HubError) -> Void
    ) async throws(HubError) -> (hub: StoredHub, digits: String?) {
        let request = JoinRequest(name: parameters.name)
        guard request.isValid else {
            let reason = "“\(parameters.name)” can't be a device's name. Choose another one with --name."
            throw HubError(.malformedMessage, reason)
        }
        let invitation = try TypedInvitation(parameters.invitation)
        let begun = BegunJoining(door: invitation.door, store: prepare)
        let further = invitation.addresses
        let joined: Joined
        do throws(JoinFailure) {
            let attempt: Attempt = { (address, text) async throws(JoinFailure) in
                // No two hubs see the same key.
                let key = IdentityKey()
                let channel = try await JoinChannel.join(invitation, at: address, as: key, request: request) {
                    (hub) throws(JoinFailure) in
                    try begun.prepare(hub, key, [text] + further.filter { $0 != text })
                }
                return Joined(channel: channel, key: key, address: text)
            }
            if let place = parameters.place {
                joined = try await joinFirst(of: [place], attempt)
            } else if case .link(let link) = invitation {
                joined = try await join(link, at: further, attempt, request, begun)
            } else {
                joined = try await joinAny(attempt)
            }
        } catch {
            throw HubError(error)
        }
        let reply = joined.channel.reply
        let hub = StoredHub(
            id: begun.id,
            name: reply.hubName,
            key: joined.channel.hub.base64,
            seed: Data(joined.key.seed),
            device: reply.device,
            person: reply.userName,
            addresses: [joined.address].compactMap(\.self) + further.filter { $0 != joined.address },
            joined: Date(),
            door: invitation.door
        )
        return (hub, reply.state == .waiting ? joined.channel.digits.text : nil)
    }

    /// A hub that has let the device in, or lets it wait.
    private struct Joined {
        var channel: JoinChannel.Joined
        var key: IdentityKey
        /// The hub's address; `nil` if its relay led to it.
        var address: String?
    }

    /// Tries to join at an address.
    private typealias Attempt = @Sendable (SocketAddress, String) async throws(JoinFailure) -> Joined

    /// Joins a hub of a link: on this network, or else through the door at its relay.
    private func join(
        _ link: InvitationLink,
        at addresses: [String],
        _ attempt: Attempt,
        _ request: JoinRequest,
        _ begun: BegunJoining
    ) async throws(JoinFailure) -> Joined {
        let near: JoinFailure
        do throws(JoinFailure) {
            return try await joinFirst(of: addresses + link.hubDiscoveryIDs.flatMap(ways.announced), attempt)
        } catch {
            guard link.door != nil, Self.mayBeElsewhere.contains(error.code) else { throw error }
            near = error
        }
        guard let door = link.door else { throw near }
        let visit = DoorVisit(door, log: log)
        defer { visit.end() }
        let key = IdentityKey()
        let channel = try await visit.join(link, as: key, request: request) { (hub) throws(JoinFailure) in
            try begun.prepare(hub, key, addresses)
        }
        return Joined(channel: channel, key: key, address: nil)
    }

    /// Joins any hub that announces itself, because a code doesn't tell whose it is.
    private func joinAny(_ attempt: Attempt) async throws(JoinFailure) -> Joined {
        let clock = ContinuousClock()
        let begin = clock.now
        var tried: Set<ServiceInstance> = []
        var failures: [JoinFailure] = []
        while true {
            for hub in ways.announcedHubs() where tried.insert(hub.instance).inserted {
                do throws(JoinFailure) {
                    return try await joinFirst(of: hub.addresses, attempt)
                } catch {
                    guard Self.mayBeAnothers.contains(error.code) else { throw error }
                    failures.append(error)
                }
            }
            guard clock.now - begin < (tried.isEmpty ? searchTime : furtherTime) else { break }
            // A cancelled search ends when its time is over.
            try? await Task.sleep(for: .milliseconds(100))
        }
        let reason =
            "No hub announces itself on this network. Name it with --host and --port, as “hearth device add” shows."
        throw Self.mayBeAnothers.lazy.compactMap { code in failures.first { $0.code == code } }.first
            ?? JoinFailure(.unreachable, reason)
    }

    /// The failures after which a code may be another hub's. Those that tell most come first.
    private static let mayBeAnothers: [JoinFailure.Code] = [
        .wrongInvitationCode, .tooManyRequests, .busy, .unsupportedVersion, .invitationEnded, .wrongHub, .unreachable,
    ]

    /// The failures after which the hub of an invitation may be at another address.
    private static let mayBeElsewhere: [JoinFailure.Code] = [.unreachable, .wrongHub, .invitationEnded]

    /// Tries one address after another. What a hub itself says ends the search: only somebody else there doesn't.
    private func joinFirst(of addresses: [String], _ attempt: Attempt) async throws(JoinFailure) -> Joined {
        var last = JoinFailure(.unreachable, "No address of the hub is known. Name it with --host and --port.")
        for text in addresses {
            guard let address = HostAddress.socketAddress(text) else { continue }
            do throws(JoinFailure) {
                return try await attempt(address, text)
            } catch {
                last = error
                // Another hub on the network has no invitation, or isn't the one of the link.
                guard Self.mayBeElsewhere.contains(error.code) else { throw error }
            }
        }
        throw last
    }
}

/// A joining that has begun. What is known of the hub is stored before the hub can let the device in, so that nothing that
/// happens then loses the device's key.
private struct BegunJoining: Sendable {
    let id = UUID()
    let door: RelayDoor?
    let store: @Sendable (StoredHub) throws(HubError) -> Void

    func prepare(_ hub: PublicKey, _ key: IdentityKey, _ addresses: [String]) throws(JoinFailure) {
        let stored = StoredHub(
            id: id,
            name: addresses.first ?? "",
            key: hub.base64,
            seed: Data(key.seed),
            device: nil,
            person: "",
            addresses: addresses,
            joined: Date(),
            door: door
        )
        do throws(HubError) {
            try store(stored)
        } catch {
            throw JoinFailure(.internalError, error.reason)
        }
    }
}
