import Foundation
import HAP
import HAPCatalog
import HAPClient
import HomeModel
import HubAPI

/// A characteristic, found in a home's records.
struct LocatedCharacteristic: Sendable {
    var shape: CharacteristicShape
    var id: CharacteristicID
    var server: DeviceID
    /// The ID of the accessory.
    var accessory: UUID
    var accessoryName: String
    var isBlocked: Bool
}

extension Home {
    /// Returns the characteristic that a permanent reference refers to, and its present reference; `nil` if the accessory
    /// currently lacks it.
    func locate(
        _ identity: CharacteristicIdentity
    ) -> (reference: CharacteristicReference, located: LocatedCharacteristic)? {
        guard let (accessory, shape) = characteristic(identity), let server = DeviceID(accessory.server) else {
            return nil
        }
        let located = LocatedCharacteristic(
            shape: shape,
            id: CharacteristicID(aid: accessory.aid, iid: shape.iid),
            server: server,
            accessory: accessory.id,
            accessoryName: accessory.name,
            isBlocked: accessory.isBlocked
        )
        return (CharacteristicReference(accessory: accessory.id, iid: shape.iid), located)
    }

    /// Returns a characteristic of the home.
    ///
    /// - Throws: `notFound` or `noSuchCharacteristic`.
    func locate(_ reference: CharacteristicReference) throws(HubError) -> LocatedCharacteristic {
        guard let record = accessories[id: reference.accessory], let server = DeviceID(record.server) else {
            let subject = HomeError.Subject.accessory(reference.accessory)
            throw HubError(HomeError(.notFound, "The home has no such accessory.", about: subject))
        }
        for service in services(of: record) {
            guard let shape = service.characteristics.first(where: { $0.iid == reference.iid }) else { continue }
            return LocatedCharacteristic(
                shape: shape,
                id: CharacteristicID(aid: record.aid, iid: shape.iid),
                server: server,
                accessory: record.id,
                accessoryName: record.name,
                isBlocked: record.isBlocked
            )
        }
        throw HubError(
            .noSuchCharacteristic,
            "“\(record.name)” has no characteristic \(reference.iid).",
            parts: ErrorParts(.init(.accessory(record.id, record.name)))
        )
    }
}
