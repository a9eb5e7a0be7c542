import Foundation
import HAP
import HomeIdentity
package import HubAPI
import HubNetwork
import NIOCore

/// Joins hubs with invitations: reads what the person typed, finds the hub and proves the secret.
package struct HubJoiner: Sendable {
    private let ways: WayFinder
    /// The time for hubs to announce themselves, for a code.
    private let searchTime: Duration

    /// Creates a joiner.
    package init(_ ways: WayFinder, searchTime: Duration = .seconds(5)) {
        self.ways = ways
        self.searchTime = searchTime
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
        let begun = BegunJoining(key: IdentityKey(), store: prepare)
        let key = begun.key
        let text = parameters.invitation.trimmingCharacters(in: .whitespacesAndNewlines)
        let joined: (channel: JoinChannel.Joined, address: String)
        var further: [String] = []
        if text.uppercased().filter({ !$0.isWhitespace }).hasPrefix(InvitationLink.prefix) {
            let link: InvitationLink
            do throws(InvitationLinkError) {
                link = try InvitationLink(text)
            } catch {
                throw HubError(.wrongInvitationCode, error.description)
            }
            let known = link.addresses.compactMap { HostAddress.text(ip: $0.ip, port: Int($0.port)) }
            further = known
            let id = link.hubFingerprint.prefix(8).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            let addresses = parameters.place.map { [$0] } ?? further + ways.announced(id)
            joined = try await first(of: addresses) { (address, text) async throws(JoinFailure) in
                try await JoinChannel.join(link, at: address, as: key, request: request) { (hub) throws(JoinFailure) in
                    try begun.prepare(hub, [text] + known.filter { $0 != text })
                }
            }
        } else {
            guard let code = try? SetupCode(text) else {
                let reason = "This is neither a link nor a code. A code has 8 digits, a link begins with HEARTH:JOIN:."
                throw HubError(.wrongInvitationCode, reason)
            }
            var addresses = parameters.place.map { [$0] } ?? []
            if addresses.isEmpty { addresses = await search() }
            guard !addresses.isEmpty else {
                let reason =
                    "No hub announces itself on this network. Name it with --host and --port, as “hearth device add” shows."
                throw HubError(.noHub, reason)
            }
            joined = try await first(of: addresses) { (address, text) async throws(JoinFailure) in
                try await JoinChannel.join(
                    at: address,
                    as: key,
                    secret: .code(code),
                    invitation: nil,
                    request: request,
                    prepare: { (hub) throws(JoinFailure) in try begun.prepare(hub, [text]) }
                )
            }
        }
        let reply = joined.channel.reply
        let hub = StoredHub(
            id: begun.id,
            name: reply.hubName,
            key: joined.channel.hub.base64,
            seed: Data(key.seed),
            device: reply.device,
            person: reply.userName,
            addresses: [joined.address] + further.filter { $0 != joined.address },
            joined: Date()
        )
        return (hub, reply.state == .waiting ? joined.channel.digits.text : nil)
    }

    /// Waits for hubs to announce themselves.
    private func search() async -> [String] {
        let clock = ContinuousClock()
        let end = clock.now + searchTime
        while clock.now < end {
            let found = ways.announced()
            if !found.isEmpty { return found }
            try? await Task.sleep(for: .milliseconds(100))
        }
        return []
    }

    /// Tries one address after another. What a hub itself says ends the search: only somebody else there doesn't.
    private func first(
        of addresses: [String],
        _ join: (SocketAddress, String) async throws(JoinFailure) -> JoinChannel.Joined
    ) async throws(HubError) -> (JoinChannel.Joined, String) {
        var last = JoinFailure(.unreachable, "No address of the hub is known. Name it with --host and --port.")
        for text in addresses {
            guard let address = HostAddress.socketAddress(text) else { continue }
            do throws(JoinFailure) {
                return (try await join(address, text), text)
            } catch {
                last = error
                // Another hub on the network has no invitation, or isn't the one of the link.
                guard [.unreachable, .wrongHub, .invitationEnded].contains(error.code) else { throw HubError(error) }
            }
        }
        throw HubError(last)
    }
}

/// A joining that has begun. What is known of the hub is stored before the hub can let the device in, so that nothing that
/// happens then loses the device's key.
private struct BegunJoining: Sendable {
    let id = UUID()
    let key: IdentityKey
    let store: @Sendable (StoredHub) throws(HubError) -> Void

    func prepare(_ hub: PublicKey, _ addresses: [String]) throws(JoinFailure) {
        let stored = StoredHub(
            id: id,
            name: addresses.first ?? "",
            key: hub.base64,
            seed: Data(key.seed),
            device: nil,
            person: "",
            addresses: addresses,
            joined: Date()
        )
        do throws(HubError) {
            try store(stored)
        } catch {
            throw JoinFailure(.internalError, error.reason)
        }
    }
}

extension HubError {
    /// Creates an error from a failure to join.
    init(_ failure: JoinFailure) {
        let code: HubError.Code =
            switch failure.code {
            case .wrongInvitationCode: .wrongInvitationCode
            case .invitationEnded: .invitationEnded
            case .tooManyRequests, .busy: .tooManyRequests
            case .tooManyDevices: .tooManyDevices
            case .unsupportedVersion: .versionMismatch
            case .wrongHub: .untrustedHub
            case .unreachable: .noHub
            case .malformedMessage: .malformedMessage
            default: .hubFailure
            }
        self.init(code, failure.message)
    }
}
