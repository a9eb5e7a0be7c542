import Foundation
import HAP
import HomeModel
import HubAPI

/// Removes accessories and homes: the home first, then the pairings. A pairing that can't be removed now is removed when the
/// accessory is next reachable.
struct AccessoryRemoval: Sendable {
    let database: HomeDatabase
    let connections: AccessoryConnections

    /// Removes an accessory, or a bridge with its bridged accessories, from its home. Unpairs its server once nothing of it
    /// is left in the home.
    ///
    /// - Parameter receipt: The receipt that is stored together with the change.
    func remove(
        _ target: InHome<RemoveAccessory>,
        by caller: Caller,
        cause: Cause,
        receipt: RequestReceipt?
    ) async throws(HubError) -> HandlerResult<Empty> {
        let server = try await database.home(target.home, for: caller.user).accessories[id: target.request.id]?.server
        let commitment = try await database.submit(
            target.request,
            in: target.home,
            by: caller,
            cause: cause,
            receipt: receipt
        )
        return .committing { () async throws(HubError) in
            let done = try await commitment.committed(Empty())
            if let deviceID = server.flatMap({ DeviceID($0) }) { await connections.leave(deviceID, from: target.home) }
            return done
        }
    }

    /// Removes a home, and unpairs all its accessories.
    ///
    /// - Parameter receipt: The receipt that is stored together with the change of the list of homes.
    func removeHome(
        _ target: HomeTarget,
        by caller: Caller,
        cause: Cause,
        receipt: RequestReceipt?
    ) async throws(HubError) -> HandlerResult<Empty> {
        // Its keys are removed with it, except for the pairings: from that moment on their removals are scheduled.
        let commitment = try await database.submit(
            .removeHome(target.home),
            by: caller,
            cause: cause,
            receipt: receipt
        )
        return .committing { () async throws(HubError) in
            let done = try await commitment.committed(Empty())
            await connections.leave(home: target.home)
            await connections.recovery.recoverNow(home: target.home)
            return done
        }
    }
}
