import HAP
import HomeIdentity

extension FuzzTarget {
    /// Links of invitations, as people paste and type them.
    static let invitationLinks = FuzzTarget("invitation-links", maximumLength: 512) { input throws(Violation) in
        let text = String(decoding: input, as: UTF8.self)
        guard let link = try? InvitationLink(text) else { return false }
        try hold(text.utf8.count <= InvitationLink.maximumLength, "a text that is too long was read")
        try hold(link.addresses.count <= InvitationLink.maximumAddresses, "a link has too many addresses")
        let again = try? InvitationLink(link.text)
        try hold(again == link, "a link differs from its own text")
        return true
    }

    /// The messages of a joining device and of the hub that it joins. The first byte chooses who gets the rest, and when.
    static let joinMessages = FuzzTarget("join-messages", maximumLength: 4_200) { input throws(Violation) in
        guard let choice = input.first else { return false }
        let line = Array(input.dropFirst())
        switch choice % 4 {
        case 0: return try JoinStages.shared.hello(line)
        case 1: return try JoinStages.shared.answer(line)
        case 2: return try JoinStages.shared.challenge(line)
        default: return try JoinStages.shared.result(line)
        }
    }
}

/// An exchange at each of its stages. Whoever sends the messages doesn't know the secret.
private struct JoinStages {
    static let shared = JoinStages()

    private let start: JoinServer
    private let challenged: JoinServer
    private let greeted: JoinClient
    private let answered: JoinClient

    private init() {
        let hub = IdentityKey().publicKey
        let device = IdentityKey().publicKey
        let secret = InvitationSecret.randomCode()
        let id = InvitationID([1, 2, 3, 4, 5, 6, 7, 8])
        start = JoinServer(hub: hub, device: device)
        var server = start
        var client = JoinClient(
            secret: secret,
            invitation: id,
            request: JoinRequest(name: "Device"),
            hub: hub,
            device: device
        )
        do {
            guard let id else { preconditionFailure("an ID has 8 bytes") }
            _ = try server.receive(try client.hello())
            greeted = client
            let invitation = JoinInvitation(id: id, verifier: JoinVerifier(secret), comparesDigits: false)
            _ = try client.receive(try server.challenge(for: invitation))
            (challenged, answered) = (server, client)
        } catch {
            preconditionFailure("an exchange of both sides fails: \(error)")
        }
    }

    func hello(_ line: [UInt8]) throws(Violation) -> Bool {
        var server = start
        guard let event = try? server.receive(line) else { return false }
        guard case .hello = event else { throw Violation(description: "a device is let in by its first message") }
        try hold((try? server.receive(line)) == nil, "a first message was taken twice")
        return true
    }

    func answer(_ line: [UInt8]) throws(Violation) -> Bool {
        var server = challenged
        guard let event = try? server.receive(line) else { return false }
        guard case .wrongProof = event else { throw Violation(description: "a device without the secret is let in") }
        try hold((try? server.receive(line)) == nil, "an exchange goes on after a wrong proof")
        return true
    }

    func challenge(_ line: [UInt8]) throws(Violation) -> Bool {
        var client = greeted
        guard let event = try? client.receive(line) else { return false }
        guard case .send(let message) = event else {
            throw Violation(description: "a hub without the secret is believed")
        }
        try hold(message.count <= JoinLimits.maximumMessageBytes, "an answer is too long")
        return true
    }

    func result(_ line: [UInt8]) throws(Violation) -> Bool {
        var client = answered
        let outcome = Result { () throws(JoinFailure) in try client.receive(line) }
        guard case .failure(let refusal) = outcome else {
            throw Violation(description: "a hub without the secret is believed")
        }
        try hold((try? client.receive(line)) == nil, "an exchange goes on after its result")
        // A hub may refuse; whatever else it says is not believed.
        return refusal.code != .malformedMessage
    }
}
