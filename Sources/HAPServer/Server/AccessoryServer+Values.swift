internal import HAP
public import HAPCatalog

extension AccessoryServer {
    /// The values of all characteristics that have one.
    public var values: [CharacteristicAddress: CharacteristicValue] {
        var values: [CharacteristicAddress: CharacteristicValue] = [:]
        for (address, id) in database.addresses {
            values[address] = database.value(id)
        }
        return values
    }

    /// Returns the current value of a characteristic, or `nil` if it has none, such as a button's event.
    ///
    /// - Throws: ``AccessoryServerError`` with the code `noSuchCharacteristic`.
    public func value(of address: CharacteristicAddress) throws(AccessoryServerError) -> CharacteristicValue? {
        database.value(try id(of: address))
    }

    /// Sets a value on behalf of the accessory, regardless of what controllers may write. Subscribed connections are
    /// notified if the value changes, or, for a button's event, each time.
    ///
    /// - Throws: ``AccessoryServerError`` with the code `noSuchCharacteristic` or `invalidValue`.
    public func update(
        _ value: CharacteristicValue,
        of address: CharacteristicAddress
    ) throws(AccessoryServerError) {
        guard let index = database.index(of: try id(of: address)) else { return }
        let valid: CharacteristicValue
        do {
            valid = try database[index].metadata.validate(value, checkingStep: false)
        } catch {
            throw AccessoryServerError(.invalidValue, reason: "\(address): \(error)")
        }
        set(valid, at: index, by: nil, on: nil)
    }

    private func id(of address: CharacteristicAddress) throws(AccessoryServerError) -> CharacteristicID {
        guard let id = database.id(of: address) else {
            throw AccessoryServerError(
                .noSuchCharacteristic,
                reason: "\(name) doesn't host the characteristic \(address)"
            )
        }
        return id
    }
}
