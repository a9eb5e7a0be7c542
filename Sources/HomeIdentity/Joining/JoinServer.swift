import Foundation
import HAP

/// The hub's side of one exchange with a joining device, as a state machine: messages go in and come out.
///
/// ```
/// 1. {"version":1,"invitation":"…"}          →
///                                            ←  2. {"salt","key","commitment"}
/// 3. {"key","proof","request"}               →
///                                            ←  4. {"proof","reply"} or {"error","message"}
/// ```
///
/// After any error the exchange is over.
package struct JoinServer: Sendable, Redacted {
    /// What follows from a message.
    package enum Event: Hashable, Sendable {
        /// The device names an invitation, or asks for the one that is open by a code. Continue with ``challenge(for:)``.
        case hello(InvitationID?)
        /// The device doesn't know the secret. Count the try, then send a ``refusal(_:)``.
        case wrongProof(InvitationID)
        /// The device knows the secret. Add it, then continue with ``reply(_:)``.
        case join(JoinRequest, InvitationID, CheckDigits)
    }

    private enum Phase {
        case start
        case helloReceived(hello: [UInt8])
        case challengeSent(Challenge)
        case proven(Agreement)
        case over
    }

    private struct Challenge {
        let hello: [UInt8]
        let line: [UInt8]
        let invitation: InvitationID
        let server: SRPServer
        let share: [UInt8]
    }

    private struct Agreement {
        let agreement: SRPAgreement
        let transcript: JoinTranscript
        let share: [UInt8]
    }

    private let hub: PublicKey
    private let device: PublicKey
    private var phase = Phase.start

    /// Starts an exchange.
    ///
    /// - Parameters:
    ///   - hub: The hub's key, with which it has proved its identity to this connection.
    ///   - device: The key with which the device has proved its identity to this connection.
    package init(hub: PublicKey, device: PublicKey) {
        self.hub = hub
        self.device = device
    }

    /// Handles message 1 or 3, without the line feed at its end. Message 3 involves exponentiation.
    package mutating func receive(_ line: [UInt8]) throws(JoinFailure) -> Event {
        let current = phase
        phase = .over
        switch current {
        case .start: return try receiveHello(line)
        case .challengeSent(let challenge): return try receiveAnswer(line, challenge)
        case .helloReceived, .proven, .over: throw .malformedMessage
        }
    }

    private mutating func receiveHello(_ line: [UInt8]) throws(JoinFailure) -> Event {
        let hello = try JoinMessages.decode(JoinMessages.Hello.self, from: line)
        guard hello.version == JoinLimits.version else {
            throw JoinFailure(
                .unsupportedVersion,
                "This hub joins devices by version \(JoinLimits.version). Update Hearth on both sides."
            )
        }
        phase = .helloReceived(hello: line)
        return .hello(hello.invitation)
    }

    /// Returns message 2, with one exponentiation.
    package mutating func challenge(for invitation: JoinInvitation) throws(JoinFailure) -> [UInt8] {
        guard case .helloReceived(let hello) = phase, let verifier = invitation.verifier.srp else {
            throw .malformedMessage
        }
        var generator = SystemRandomNumberGenerator()
        let server = SRPServer(verifier: verifier, using: &generator)
        let share = generator.bytes(JoinLimits.shareByteCount)
        let line = JoinMessages.encode(
            JoinMessages.Challenge(
                salt: Data(verifier.salt),
                key: Data(server.publicKey),
                commitment: Data(JoinTranscript.commitment(to: share))
            )
        )
        phase = .challengeSent(
            Challenge(hello: hello, line: line, invitation: invitation.id, server: server, share: share)
        )
        return line
    }

    private mutating func receiveAnswer(_ line: [UInt8], _ challenge: Challenge) throws(JoinFailure) -> Event {
        let answer = try JoinMessages.decode(JoinMessages.Answer.self, from: line)
        let (key, proof) = (Array(answer.key), Array(answer.proof))
        let agreement: SRPAgreement
        do {
            agreement = try challenge.server.agree(clientKey: key, clientProof: proof)
        } catch .wrongLength {
            throw .malformedMessage
        } catch {
            return .wrongProof(challenge.invitation)
        }
        var transcript = JoinTranscript(
            hello: challenge.hello,
            challenge: challenge.line,
            clientKey: key,
            clientProof: proof,
            hub: hub,
            device: device
        )
        // A proof without a request that fits to it comes from somebody between the device and the hub.
        let opened = transcript.open(Array(answer.request), as: .request, sessionKey: agreement.sessionKey)
        guard let opened else { return .wrongProof(challenge.invitation) }
        let request = try JoinMessages.decode(JoinRequest.self, from: opened)
        guard request.isValid else {
            throw JoinFailure(
                .malformedMessage,
                "A device's name has 1 to \(JoinLimits.maximumNameBytes) bytes and no control characters."
            )
        }
        transcript.add(serverProof: agreement.serverProof)
        phase = .proven(Agreement(agreement: agreement, transcript: transcript, share: challenge.share))
        let digits = transcript.digits(share: challenge.share, sessionKey: agreement.sessionKey)
        return .join(request, challenge.invitation, digits)
    }

    /// Returns message 4.
    package mutating func reply(_ reply: JoinReply) throws(JoinFailure) -> [UInt8] {
        guard case .proven(let proven) = phase else { throw .malformedMessage }
        phase = .over
        let plaintext = JoinMessages.encode(JoinMessages.SealedReply(reply: reply, share: Data(proven.share)))
        let sealed = proven.transcript.seal(plaintext, as: .reply, sessionKey: proven.agreement.sessionKey)
        return JoinMessages.encode(
            JoinMessages.Result(proof: Data(proven.agreement.serverProof), reply: Data(sealed))
        )
    }

    /// Returns the message that ends an exchange: in place of message 2 or 4.
    package static func refusal(_ failure: JoinFailure) -> [UInt8] {
        JoinMessages.refusal(failure)
    }
}
