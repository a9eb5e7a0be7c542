import HAPCatalog
import HomeModel
import HomeStore
import HubAPI

extension HubError {
    /// Returns the error for an accessory that is in another home of the hub.
    ///
    /// - Parameter home: The home, if the user knows it.
    static func inAnotherHome(_ home: AccountHomeRecord?) -> HubError {
        let place = home.map { "your home “\($0.name)”" } ?? "another home of this hub"
        var error = HomeError(.alreadyAdded, "The accessory belongs to \(place). Remove it there first.")
        if let home { error.subjects = [.home(home.id, home.name)] }
        return HubError(error)
    }

    /// Creates an error about a scene.
    init(_ code: Code, _ reason: String, scene: ActionSetRecord) {
        self.init(code, reason, parts: ErrorParts(.init(.scene(scene.id, scene.name))))
    }

    /// Creates an error about a characteristic.
    init(_ code: Code, _ reason: String, _ located: LocatedCharacteristic) {
        self.init(code, reason, parts: located.parts)
    }

    /// Creates an error from a value that a characteristic doesn't accept.
    init(_ error: CharacteristicValueError, _ located: LocatedCharacteristic) {
        self.init(HomeError(error))
        parts = parts ?? ErrorParts()
        parts?.subjects = located.parts.subjects
    }
}

extension LocatedCharacteristic {
    /// The characteristic and its accessory, for errors.
    fileprivate var parts: ErrorParts {
        ErrorParts(
            .init(.accessory(accessory, accessoryName)),
            .init(.characteristic(shape.iid, of: accessory, "\(shape.type)"))
        )
    }
}

extension HubError {
    /// Creates the error of a change that wasn't stored.
    ///
    /// - Parameter what: What could not be stored, as a sentence without its end.
    init(storing what: String, _ error: any Error) {
        guard let error = error as? StoreError, error.code == .notLeader || error.code == .unknownOutcome else {
            self.init(.storeFailure, "\(what): \(error)")
            return
        }
        self.init(.noLeader, error.reason)
    }
}
