import Foundation
import HAP

/// The device's side of one exchange with a hub that it joins, as a state machine: messages go in and come out. See
/// ``JoinServer`` for the messages.
package struct JoinClient: Sendable, Redacted {
    /// What follows from a message.
    package enum Event: Hashable, Sendable {
        /// Send a message.
        case send([UInt8])
        /// The hub has let the device in, or asks somebody who compares the digits.
        case joined(JoinReply, CheckDigits)
    }

    private enum Phase {
        case start
        case helloSent(hello: [UInt8])
        case answerSent(Answer)
        case over
    }

    private struct Answer {
        let client: SRPClient
        let transcript: JoinTranscript
        let sessionKey: [UInt8]
        let commitment: [UInt8]
    }

    private let secret: InvitationSecret
    private let invitation: InvitationID?
    private let request: JoinRequest
    private let hub: PublicKey
    private let device: PublicKey
    private var phase = Phase.start

    /// Starts an exchange.
    ///
    /// - Parameters:
    ///   - secret: What the person knows.
    ///   - invitation: The invitation of a link; `nil` for a code.
    ///   - request: What the device tells of itself.
    ///   - hub: The key with which the hub has proved its identity to this connection.
    ///   - device: The device's key, with which it has proved its identity to this connection.
    package init(
        secret: InvitationSecret,
        invitation: InvitationID?,
        request: JoinRequest,
        hub: PublicKey,
        device: PublicKey
    ) {
        self.secret = secret
        self.invitation = invitation
        self.request = request
        self.hub = hub
        self.device = device
    }

    /// Returns message 1.
    package mutating func hello() throws(JoinFailure) -> [UInt8] {
        guard case .start = phase else { throw .malformedMessage }
        let line = JoinMessages.encode(JoinMessages.Hello(version: JoinLimits.version, invitation: invitation))
        phase = .helloSent(hello: line)
        return line
    }

    /// Handles message 2 or 4, without the line feed at its end. Message 2 involves several exponentiations.
    package mutating func receive(_ line: [UInt8]) throws(JoinFailure) -> Event {
        let current = phase
        phase = .over
        if let refusal = try? JoinMessages.decode(JoinMessages.Refusal.self, from: line) {
            throw JoinFailure(
                refusal.error,
                refusal.message,
                triesLeft: refusal.triesLeft,
                retryAfter: refusal.retryAfter
            )
        }
        switch current {
        case .helloSent(let hello): return .send(try receiveChallenge(line, hello))
        case .answerSent(let answer): return try receiveResult(line, answer)
        case .start, .over: throw .malformedMessage
        }
    }

    private mutating func receiveChallenge(_ line: [UInt8], _ hello: [UInt8]) throws(JoinFailure) -> [UInt8] {
        let challenge = try JoinMessages.decode(JoinMessages.Challenge.self, from: line)
        guard challenge.salt.count == JoinLimits.saltByteCount else { throw .malformedMessage }
        var generator = SystemRandomNumberGenerator()
        let client: SRPClient
        do {
            client = try SRPClient(
                username: JoinVerifier.username,
                password: secret.text,
                salt: Array(challenge.salt),
                serverKey: Array(challenge.key),
                using: &generator
            )
        } catch {
            throw .malformedMessage
        }
        let transcript = JoinTranscript(
            hello: hello,
            challenge: line,
            clientKey: client.publicKey,
            clientProof: client.proof,
            hub: hub,
            device: device
        )
        let sessionKey = client.unverifiedSessionKey
        let sealed = transcript.seal(JoinMessages.encode(request), as: .request, sessionKey: sessionKey)
        phase = .answerSent(
            Answer(
                client: client,
                transcript: transcript,
                sessionKey: sessionKey,
                commitment: Array(challenge.commitment)
            )
        )
        return JoinMessages.encode(
            JoinMessages.Answer(
                key: Data(client.publicKey),
                proof: Data(client.proof),
                request: Data(sealed)
            )
        )
    }

    private mutating func receiveResult(_ line: [UInt8], _ answer: Answer) throws(JoinFailure) -> Event {
        let result = try JoinMessages.decode(JoinMessages.Result.self, from: line)
        let proof = Array(result.proof)
        guard let sessionKey = try? answer.client.sessionKey(verifying: proof) else { throw .wrongHub }
        var transcript = answer.transcript
        transcript.add(serverProof: proof)
        guard let opened = transcript.open(Array(result.reply), as: .reply, sessionKey: sessionKey) else {
            throw .wrongHub
        }
        let reply = try JoinMessages.decode(JoinMessages.SealedReply.self, from: opened)
        let share = Array(reply.share)
        guard share.count == JoinLimits.shareByteCount,
            ConstantTime.equal(JoinTranscript.commitment(to: share), answer.commitment)
        else { throw .wrongHub }
        return .joined(reply.reply, transcript.digits(share: share, sessionKey: sessionKey))
    }
}
