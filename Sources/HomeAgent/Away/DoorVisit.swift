import HomeIdentity
import HubNetwork
import Logging
import RelayAPI
import RelayClient
import Synchronization

/// Joins a hub through its door at a relay.
struct DoorVisit {
    private let door: RelayDoor
    private let way: AwayWay

    init(_ door: RelayDoor, log: Logger) {
        self.door = door
        way = AwayWay(AwayPlace(door), log: log)
    }

    /// Ends the stream to the relay.
    func end() { way.stop() }

    /// Joins the hub of a link.
    ///
    /// - Parameter prepare: A closure that is called with the hub's key before the hub may let the device in.
    func join(
        _ link: InvitationLink,
        as key: IdentityKey,
        request: JoinRequest,
        prepare: @escaping @Sendable (PublicKey) throws(JoinFailure) -> Void
    ) async throws(JoinFailure) -> JoinChannel.Joined {
        var tries = 1
        while true {
            let end = Mutex<PipeEnd?>(nil)
            let refusal = Mutex<RelayClientError?>(nil)
            do throws(JoinFailure) {
                return try await JoinChannel.join(
                    link,
                    through: door.relay,
                    as: key,
                    request: request,
                    prepare: prepare,
                    explain: { Self.failure(at: door, end.withLock { $0 }, refusal.withLock { $0 }) },
                    connect: { [way] in
                        do throws(RelayClientError) {
                            return try await way.open { reason in end.withLock { $0 = reason } }
                        } catch {
                            refusal.withLock { $0 = error }
                            throw error
                        }
                    }
                )
            } catch {
                // The hub may be connecting to its relay just then.
                guard error.code == .unreachable, tries < AgentLimits.doorTries.count,
                    (try? await Task.sleep(for: AgentLimits.doorTries.pause)) != nil
                else { throw error }
                tries += 1
            }
        }
    }

    /// Returns why a pipe has ended, as the relay says.
    private static func failure(at door: RelayDoor, _ end: PipeEnd?, _ refusal: RelayClientError?) -> JoinFailure? {
        switch (refusal, end) {
        case (.refused(let error)?, _) where error.code == .notFound:
            JoinFailure(
                .unreachable,
                "The relay \(door.relay) knows no such invitation: it was used, withdrawn or is too old, or the hub isn't "
                    + "connected to the relay just now. Try again, or ask for another invitation."
            )
        case (let refusal?, _):
            JoinFailure(.unreachable, "The relay \(door.relay) can't be used: \(refusal)")
        case (nil, .noHub?), (nil, .lost?):
            JoinFailure(.unreachable, "The hub isn't connected to the relay \(door.relay). Try again later.")
        case (nil, .noRight?), (nil, .refused?): .invitationEnded
        case (nil, .tooMany?):
            JoinFailure(.tooManyRequests, "The invitation is tried too often. Wait a minute.", retryAfter: 60)
        case (nil, .quota?):
            JoinFailure(
                .tooManyRequests,
                "The relay \(door.relay) has carried as much for this home as it does in a day. Join on the hub's network."
            )
        default: nil
        }
    }
}
