import Foundation
import HAP
import HomeAgent
import HubAPI

/// The output of a command that invites a user or a device: the code or the links, what to do with them, and a QR code.
struct InvitationOutput: Encodable {
    /// The ID of the invitation.
    var id: UUID
    /// The code for `hearth join`, as eight digits; left out for links.
    var code: String?
    /// The link for `hearth join`; left out if devices can't join over the network, or for a code.
    var link: String?
    /// The relay through which the link leads; left out if the device must be in the hub's network.
    var relay: String?
    /// The links for a browser; empty if the hub doesn't serve HTTP, or for a code.
    var links: [String]
    /// When the invitation expires.
    var expires: Date
    /// The fingerprint of the hub's own certificate authority, if browsers must trust it.
    var fingerprint: String?
    /// Whether it is for a second hub.
    var isForHub: Bool?

    /// Creates the output of an invitation for another user.
    init(_ created: CreatedInvitation) {
        id = created.invitation.id
        code = created.code
        link = created.joinLink?.url
        relay = link.flatMap { HubJoiner.relay(of: $0) }
        links = created.links.map(\.url)
        expires = created.invitation.expires
        fingerprint = created.fingerprint
    }

    /// Creates the output of an invitation for a device.
    init(_ invitation: DeviceInvitation) {
        id = invitation.id
        code = invitation.code
        link = invitation.link?.url
        relay = link.flatMap { HubJoiner.relay(of: $0) }
        links = []
        expires = invitation.expires
    }

    /// Prints the invitation.
    ///
    /// - Parameters:
    ///   - guest: Whom it is for, such as “Ann”; `nil` for another device of the user's own.
    ///   - drawsCode: Whether to draw the QR code even if the output isn't a terminal.
    func print(for guest: String?, at time: HubTime, drawsCode: Bool) {
        ProgramOutput.line(lines(for: guest, at: time).joined(separator: "\n"))
        guard drawsCode || ProgramOutput.isTerminal, let symbol = link ?? links.first,
            let drawing = QRCode(ofText: symbol)
        else { return }
        ProgramOutput.qrCode(drawing)
    }

    /// Returns the lines for users.
    private func lines(for guest: String?, at time: HubTime) -> [String] {
        let deadline = time.text(expires)
        let device = guest.map { "\($0)'s device" } ?? "the other device"
        var lines: [String] = []
        if let code {
            lines += [
                "Run this on \(device), in the same network, until \(deadline):",
                "  hearth join \(code)",
                "The code works once. Five wrong tries end it.",
            ]
        }
        if let link, isForHub == true {
            lines += [
                "Run this on the second hub's machine, in the same network, until \(deadline):",
                "  hearth hub join '\(link)'",
                "The link works once. This hub then asks you to compare six digits; answer with “hearth questions”.",
            ]
        } else if let link {
            let place = relay.map { ", wherever it is (through \($0))," } ?? ", in the same network,"
            lines += [
                "Run this on \(device)\(place) until \(deadline):",
                "  hearth join '\(link)'",
                "The link works once. The hub then asks you to compare six digits; answer with “hearth questions”.",
            ]
        }
        if !links.isEmpty {
            lines.append(
                link == nil ? "Open one of these links until \(deadline):" : "Or open one of these in a browser:"
            )
            lines += links.map { "  \($0)" }
        }
        let address = links.first?.split(separator: "/#").first.map(String.init)
        let trust = LoginCode.trustText(fingerprint, at: address)
        if !trust.isEmpty { lines.append(String(trust.dropFirst())) }
        return lines
    }
}
