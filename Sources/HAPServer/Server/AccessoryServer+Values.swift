internal import HAP
public import HAPCatalog

extension AccessoryServer {
    /// Every characteristic that has a value.
    public var values: [CharacteristicAddress: CharacteristicValue] {
        var values: [CharacteristicAddress: CharacteristicValue] = [:]
        for (address, id) in database.addresses {
            values[address] = database.value(id)
        }
        return values
    }

    /// The present value of a characteristic; `nil` if it has none, such as a button's event.
    ///
    /// - Throws: ``AccessoryServerError`` with the code `noSuchCharacteristic`.
    public func value(of address: CharacteristicAddress) throws(AccessoryServerError) -> CharacteristicValue? {
        database.value(try id(of: address))
    }

    /// Sets a value from the accessory's side, whatever controllers may write. Every subscribed connection hears of it
    /// if it is another than before; with a button's event, a press, each time.
    ///
    /// - Throws: ``AccessoryServerError`` with the code `noSuchCharacteristic` or `invalidValue`.
    public func update(
        _ value: CharacteristicValue,
        of address: CharacteristicAddress
    ) throws(AccessoryServerError) {
        let id = try id(of: address)
        guard let entry = database.entry(id) else { return }
        let valid: CharacteristicValue
        do {
            valid = try database[entry].metadata.validate(value, checkingStep: false)
        } catch {
            throw AccessoryServerError(.invalidValue, reason: "\(address): \(error)")
        }
        set(valid, of: entry, id: id, by: nil, on: nil)
    }

    private func id(of address: CharacteristicAddress) throws(AccessoryServerError) -> CharacteristicID {
        guard let id = database.id(of: address) else {
            throw AccessoryServerError(.noSuchCharacteristic, reason: "\(name) hosts no characteristic \(address)")
        }
        return id
    }
}
