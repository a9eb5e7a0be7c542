import Foundation
import HAP
import HomeIdentity
import HubAPI
import HubNetwork
import NIOCore

/// An invitation as the person typed, pasted or scanned it.
enum TypedInvitation: Hashable, Sendable {
    /// A code, which any hub on the network may have made.
    case code(SetupCode)
    /// A link to one hub, or to either of two.
    case link(InvitationLink)

    /// Reads an invitation.
    ///
    /// - Throws: ``HubError`` with `wrongInvitationCode` if it is neither a code nor a link.
    init(_ text: String) throws(HubError) {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard text.uppercased().filter({ !$0.isWhitespace }).hasPrefix(InvitationLink.prefix) else {
            guard let code = try? SetupCode(text) else {
                let reason = "This is neither a link nor a code. A code has 8 digits, a link begins with HEARTH:JOIN:."
                throw HubError(.wrongInvitationCode, reason)
            }
            self = .code(code)
            return
        }
        do throws(InvitationLinkError) {
            self = .link(try InvitationLink(text))
        } catch {
            throw HubError(.wrongInvitationCode, error.description)
        }
    }

    /// The addresses of the hubs, as a link has them.
    var addresses: [String] {
        guard case .link(let link) = self else { return [] }
        return link.addresses.compactMap { HostAddress.text(ip: $0.ip, port: Int($0.port)) }
    }

    /// The hubs' door at their relay; `nil` if the invitation is for their network alone.
    var door: RelayDoor? {
        guard case .link(let link) = self else { return nil }
        return link.door
    }
}

extension JoinChannel {
    /// Joins the hub at an address.
    static func join(
        _ invitation: TypedInvitation,
        at address: SocketAddress,
        as key: IdentityKey,
        request: JoinRequest,
        prepare: @escaping @Sendable (PublicKey) throws(JoinFailure) -> Void
    ) async throws(JoinFailure) -> Joined {
        switch invitation {
        case .link(let link):
            // With another way in the link, an address where nobody answers must not hold up the device.
            let hasAnother = link.door != nil || link.hubFingerprints.count > 1
            let time = hasAnother ? TimeAmount.milliseconds(Int64(AgentLimits.nearJoinTime / .milliseconds(1))) : nil
            return try await join(
                link,
                at: address,
                as: key,
                request: request,
                connectingWithin: time,
                prepare: prepare
            )
        case .code(let code):
            return try await join(
                at: address,
                as: key,
                secret: .code(code),
                invitation: nil,
                request: request,
                prepare: prepare
            )
        }
    }
}
