import HomeIdentity
import Logging

/// The hub's side of joining: runs exchanges against the hub's invitations.
final class JoinService: Sendable {
    // This is a class because all connections share its order of proofs.

    private let hub: PublicKey
    private let door: any NetworkDoor
    private let logger: Logger
    private let proofs = ProofOrder()

    init(hub: PublicKey, door: any NetworkDoor, logger: Logger) {
        self.hub = hub
        self.door = door
        self.logger = logger
    }

    /// Runs one exchange.
    ///
    /// - Parameters:
    ///   - device: The key that the device has proved to have.
    ///   - only: The only invitation that the device can use; `nil` for all.
    ///   - next: A closure that returns the device's next message; `nil` once the connection has ended.
    ///   - send: A closure that sends a message.
    ///   - begin: A closure that counts a computation and returns whether there is room for it. If so, `end` follows.
    func run(
        device: PublicKey,
        only: InvitationID? = nil,
        next: () async -> [UInt8]?,
        send: ([UInt8]) -> Void,
        begin: () -> Bool,
        end: () -> Void
    ) async {
        do throws(JoinFailure) {
            var server = JoinServer(hub: hub, device: device)
            guard let hello = await next(), case .hello(let id) = try server.receive(hello) else { return }
            guard only == nil || id == only else { throw .invitationEnded }
            let invitation = try await door.invitation(id)
            guard begin() else { throw .busy }
            let challenge: [UInt8]
            do throws(JoinFailure) {
                challenge = try server.challenge(for: invitation)
                end()
            } catch {
                end()
                throw error
            }
            send(challenge)
            guard let answer = await next() else { return }
            await proofs.enter()
            let result: Result<[UInt8], JoinFailure>
            do throws(JoinFailure) {
                result = .success(try await answered(answer, to: invitation.id, &server, device))
            } catch {
                result = .failure(error)
            }
            proofs.leave()
            send(try result.get())
        } catch {
            logger.notice("A device didn't join.", metadata: ["reason": "\(error.code.rawValue)"])
            send(JoinServer.refusal(error))
        }
    }

    /// Checks the device's proof. Only one proof is checked at a time, so that nobody has more tries than there are by
    /// sending them at once.
    private func answered(
        _ answer: [UInt8],
        to id: InvitationID,
        _ server: inout JoinServer,
        _ device: PublicKey
    ) async throws(JoinFailure) -> [UInt8] {
        _ = try await door.invitation(id)
        switch try server.receive(answer) {
        case .hello: throw .invitationEnded
        case .wrongProof(let id):
            throw .wrongInvitationCode(triesLeft: try await door.countTry(of: id))
        case .join(let request, let id, let digits):
            let reply = try await door.join(request, by: device, with: id, digits: digits)
            return try server.reply(reply)
        }
    }
}
