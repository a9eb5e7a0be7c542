import Foundation
import HAP
import HomeModel
import HubAPI

/// Removes accessories and homes. The change to the home is stored first; then the pairings are removed. A pairing that
/// can't be removed now is removed when the accessory is next reachable.
struct AccessoryRemoval: Sendable {
    let database: HomeDatabase
    let connections: AccessoryConnections

    /// Removes an accessory, or a bridge with its bridged accessories, from its home. Unpairs its server if none of the
    /// server's accessories is left in the home.
    ///
    /// - Parameters:
    ///   - target: The accessory and its home.
    ///   - caller: The caller of the request.
    ///   - cause: The cause of the change.
    ///   - receipt: The receipt that is stored together with the change.
    func remove(
        _ target: InHome<RemoveAccessory>,
        by caller: Caller,
        cause: Cause,
        receipt: RequestReceipt?
    ) async throws(HubError) -> HandlerResult<Empty> {
        let server = try await database.home(target.home, for: caller.user).accessories[id: target.request.id]?.server
        let change = try await database.submit(
            target.request,
            in: target.home,
            by: caller,
            cause: cause,
            receipt: receipt
        )
        return .committing { () async throws(HubError) in
            let done = try await change.committed(Empty())
            if let deviceID = server.flatMap({ DeviceID($0) }) { await connections.leave(deviceID, from: target.home) }
            return done
        }
    }

    /// Removes a home, and unpairs all its accessories.
    ///
    /// - Parameters:
    ///   - target: The home.
    ///   - caller: The caller of the request.
    ///   - cause: The cause of the change.
    ///   - receipt: The receipt that is stored together with the change to the list of homes.
    func removeHome(
        _ target: HomeTarget,
        by caller: Caller,
        cause: Cause,
        receipt: RequestReceipt?
    ) async throws(HubError) -> HandlerResult<Empty> {
        // The home's keys are removed with it, except the pairings: their removals are scheduled from then on.
        let change = try await database.submit(
            .removeHome(target.home),
            by: caller,
            cause: cause,
            receipt: receipt
        )
        return .committing { () async throws(HubError) in
            let done = try await change.committed(Empty())
            await connections.leave(home: target.home)
            await connections.recovery.recoverNow(home: target.home)
            return done
        }
    }
}
