public import HAPCatalog
public import HAPServer

extension Simulator {
    /// Sets a value at the accessory. Controllers are notified, and the accessory reacts to the change.
    ///
    /// - Throws: ``SimulatorError`` with the code `notFound` or `invalidValue`.
    public func set(_ value: CharacteristicValue, of address: CharacteristicAddress) async throws(SimulatorError) {
        do {
            try await server(of: address).update(value, of: address)
        } catch {
            throw SimulatorError(value: error)
        }
    }

    /// Returns the current value of a characteristic, or `nil` if it has none, such as a button's event.
    ///
    /// - Throws: ``SimulatorError`` with the code `notFound`.
    public func value(of address: CharacteristicAddress) async throws(SimulatorError) -> CharacteristicValue? {
        do {
            return try await server(of: address).value(of: address)
        } catch {
            throw SimulatorError(value: error)
        }
    }

    private func server(of address: CharacteristicAddress) throws(AccessoryServerError) -> AccessoryServer {
        guard let server = serverOfAccessory[address.accessory] else {
            throw AccessoryServerError(.noSuchCharacteristic, reason: "No running accessory has \(address)")
        }
        return server
    }
}

extension SimulatorError {
    fileprivate init(value error: AccessoryServerError) {
        self.init(error.code == .invalidValue ? .invalidValue : .notFound, reason: error.reason)
    }
}
