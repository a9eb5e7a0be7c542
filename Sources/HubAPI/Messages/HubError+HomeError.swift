package import HAPCatalog
package import HomeModel

extension HubError {
    /// Creates an error with the code, the reason and the parts of a violated rule of the home.
    package init(_ error: HomeError) {
        var parts = error.value.map(ErrorParts.init) ?? ErrorParts()
        if !error.subjects.isEmpty { parts.subjects = error.subjects.map(ErrorParts.Subject.init) }
        parts.name = error.name
        parts.character = error.character.map(String.init)
        parts.limit = error.limit ?? parts.limit
        self.init(Code(rawValue: error.code.rawValue), error.reason, parts: parts == ErrorParts() ? nil : parts)
    }
}

extension ErrorParts {
    /// Creates the parts of an error in a value.
    package init(_ error: CharacteristicValueError) {
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
    package init(_ subject: HomeError.Subject) {
        self.init(kind: subject.kind.rawValue, id: subject.id, iid: subject.iid, name: subject.name)
    }
}

extension CharacteristicValue {
    /// The number, if JSON can express it.
    fileprivate var finite: Double? { number.flatMap { $0.isFinite ? $0 : nil } }
}
