package import Foundation
package import HAPCatalog

extension Home {
    /// Returns the service with an ID, and its accessory; `nil` if the accessory currently lacks it.
    package func service(_ identity: ServiceIdentity) -> (accessory: AccessoryRecord, shape: ServiceShape)? {
        guard let accessory = accessories[id: identity.accessory] else { return nil }
        let shape = services(of: accessory).first { Self.serviceID(of: $0.iid, in: accessory) == identity.service }
        return shape.map { (accessory, $0) }
    }

    /// Returns the characteristic with an ID, and its accessory; `nil` if the accessory currently lacks it.
    package func characteristic(
        _ identity: CharacteristicIdentity
    ) -> (accessory: AccessoryRecord, shape: CharacteristicShape)? {
        guard let accessory = accessories[id: identity.accessory] else { return nil }
        let shape = services(of: accessory).lazy.flatMap(\.characteristics).first {
            $0.type == identity.type && Self.characteristicID(of: $0.iid, in: accessory) == identity.characteristic
        }
        return shape.map { (accessory, $0) }
    }

    /// Returns the ID of the service with an instance ID; `nil` if the accessory has none.
    package func identity(ofService iid: UInt64, in id: UUID) -> ServiceIdentity? {
        guard let accessory = accessories[id: id], services(of: accessory).contains(where: { $0.iid == iid }) else {
            return nil
        }
        return ServiceIdentity(accessory: id, service: Self.serviceID(of: iid, in: accessory))
    }

    /// Returns the ID of the characteristic with an instance ID; `nil` if the accessory has none.
    package func identity(ofCharacteristic iid: UInt64, in id: UUID) -> CharacteristicIdentity? {
        guard let accessory = accessories[id: id],
            let shape = services(of: accessory).lazy.flatMap(\.characteristics).first(where: { $0.iid == iid })
        else { return nil }
        return CharacteristicIdentity(
            accessory: id,
            characteristic: Self.characteristicID(of: iid, in: accessory),
            type: shape.type
        )
    }

    /// Returns the type that a service counts as: its associated type, otherwise its own.
    package static func effectiveType(of service: ServiceShape, in accessory: AccessoryRecord) -> HAPType {
        accessory.associatedTypes[service.iid] ?? service.type
    }
}

extension Home {
    func existing(_ identity: CharacteristicIdentity) throws(HomeError) -> CharacteristicShape {
        guard let found = characteristic(identity) else {
            throw HomeError(
                .notFound,
                "There is no characteristic \(identity.characteristic) in the home.",
                about: .characteristic(nil, of: identity.accessory, "\(identity.type)")
            )
        }
        return found.shape
    }

    /// The error for a service that an accessory doesn't have.
    static func noService(_ iid: UInt64, of accessory: AccessoryRecord) -> HomeError {
        HomeError(
            .notFound,
            "\(accessory.name.quoted) has no service \(iid).",
            about: .accessory(accessory.id, accessory.name),
            .service(iid, of: accessory.id)
        )
    }

    /// Returns a value converted to a characteristic's format.
    func checked(_ value: CharacteristicValue, for shape: CharacteristicShape) throws(HomeError) -> CharacteristicValue
    {
        try Self.checkSize(of: value)
        do throws(CharacteristicValueError) {
            // The accessory decides whether it accepts a number between two steps.
            return try shape.metadata.validate(value, checkingStep: false)
        } catch {
            throw HomeError(error)
        }
    }

    /// Throws if a value is too long or can't be stored in a log.
    static func checkSize(of value: CharacteristicValue) throws(HomeError) {
        let length =
            switch value {
            case .string(let text): text.utf8.count
            case .data(let bytes): bytes.count
            case .bool, .integer, .unsigned, .double: 0
            }
        guard length <= HomeLimits.valueLength else {
            let limit = HomeLimits.valueLength
            throw HomeError(.valueTooLong, "A value has at most \(limit) bytes.", limit: limit)
        }
        guard value.number?.isFinite != false else { throw HomeError(.invalidValue, "A number must be finite.") }
    }
}
