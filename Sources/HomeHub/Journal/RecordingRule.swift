import HAPCatalog
import HomeModel

/// How the journal keeps the values of a characteristic.
enum RecordingRule: Hashable, Sendable {
    /// Each value is an entry.
    case entries
    /// The values are samples, at most one a minute: measurements, which change on their own all the time.
    case samples
    /// The values aren't kept.
    case nothing

    /// Returns the rule for a characteristic.
    ///
    /// A measurement is a number that nobody can write, that notifies, and that isn't one of a few named states: a
    /// temperature or a position, but not the state of a lock. Bytes aren't kept, because they may contain keys, nor what is
    /// hidden from users.
    init(_ shape: CharacteristicShape) {
        if shape.permissions.contains(.hidden) || shape.metadata.format.isBytes {
            self = .nothing
        } else if shape.permissions.contains(.write) || shape.type.isMomentary || !shape.metadata.format.isNumeric {
            self = .entries
        } else {
            self = Self.isMeasurement(shape) && shape.permissions.contains(.notify) ? .samples : .entries
        }
    }

    private static func isMeasurement(_ shape: CharacteristicShape) -> Bool {
        if let definition = CharacteristicDefinition.of(shape.type) {
            return definition.namedValues.isEmpty && definition.metadata.validValues == nil
        }
        // A manufacturer's own type: a fraction or a unit tells a measurement from a state.
        return shape.metadata.format == .float || (shape.metadata.unit != nil && shape.metadata.validValues == nil)
    }
}
