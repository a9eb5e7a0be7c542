import Foundation
import HAP
import HAPClient
import HomeModel
import HubAPI

/// Identifies accessories.
struct IdentifyHandler: Sendable {
    let database: HomeDatabase
    let connections: AccessoryConnections

    /// Identifies an accessory of the home. Every member of the home is allowed to.
    func identify(_ target: ItemTarget, for user: UUID) async throws(HubError) -> HandlerResult<Empty> {
        guard let record = try await database.home(target.home, for: user).accessories[id: target.id] else {
            throw HubError(HomeError(.notFound, "No accessory with that ID exists in the home."))
        }
        guard !record.isBlocked else { throw .accessoryBlocked }
        guard let deviceID = DeviceID(record.server), let session = await connections.session(to: deviceID) else {
            throw HubError(AccessoryTrouble.noPairing)
        }
        let submission = session.submitIdentify(record.aid)
        return .deferred { () async throws(HubError) in
            if case .failure(let failure) = await submission.value { throw HubError(failure) }
            return Empty()
        }
    }

    /// Finds the accessory with a long-term public key in the user's homes.
    func find(_ parameters: FindAccessory, for user: UUID) async throws(HubError) -> FoundAccessory {
        guard let key = LongTermPublicKey(Array(parameters.publicKey)) else {
            let reason = "An accessory's long-term public key has \(LongTermPublicKey.length) bytes."
            throw HubError(HomeError(.invalidParameter, reason))
        }
        for (home, deviceID) in await connections.members(withKey: key) {
            guard let home = try? await database.home(home, for: user),
                let record = home.accessories(onServer: deviceID.description).first(where: { $0.bridge == nil })
            else { continue }
            return FoundAccessory(home: home.id, id: record.id)
        }
        throw HubError(HomeError(.notFound, "None of your homes has an accessory with that key."))
    }

    /// Identifies an accessory that is in no home.
    func identify(discovered id: UUID) async throws(HubError) -> Empty {
        guard let server = await connections.discovery.server(discovered: id) else {
            throw HubError(.notDiscovered, "The accessory wasn't found on the network. Check that it is powered on.")
        }
        do throws(PairerError) {
            try await connections.pairer.identify(at: server.addresses)
        } catch {
            throw HubError(error)
        }
        return Empty()
    }
}
