import HAPCatalog
import HomeModel
import HubAPI

extension HubError {
    /// Creates an error with the code, the reason and the parts of a violated rule of the home.
    init(_ error: HomeError) {
        var parts = error.value.map(ErrorParts.init) ?? ErrorParts()
        if !error.subjects.isEmpty { parts.subjects = error.subjects.map(ErrorParts.Subject.init) }
        parts.name = error.name
        parts.character = error.character.map(String.init)
        parts.limit = error.limit ?? parts.limit
        self.init(Code(rawValue: error.code.rawValue), error.reason, parts: parts == ErrorParts() ? nil : parts)
    }

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

extension ErrorParts {
    /// Creates the parts of an error in a value.
    init(_ error: CharacteristicValueError) {
        self.init()
        switch error {
        case .wrongType: break
        case .belowMinimum(let value, let minimum): (self.value, self.minimum) = (value.finite, minimum.finite)
        case .aboveMaximum(let value, let maximum): (self.value, self.maximum) = (value.finite, maximum.finite)
        case .notAStep(let value, _), .notAValidValue(let value): self.value = value.finite
        case .tooLong(_, let maximum): limit = maximum
        }
    }
}

extension ErrorParts.Subject {
    /// Creates the subject of a violated rule of the home.
    init(_ subject: HomeError.Subject) {
        self.init(kind: subject.kind.rawValue, id: subject.id, iid: subject.iid, name: subject.name)
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

extension CharacteristicValue {
    /// The number, if JSON can express it.
    fileprivate var finite: Double? { number.flatMap { $0.isFinite ? $0 : nil } }
}
