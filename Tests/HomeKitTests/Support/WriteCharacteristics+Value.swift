import HAPCatalog
import HubAPI

extension WriteCharacteristics.Write {
    /// The value to write, or `nil` if it is a difference.
    var writtenValue: CharacteristicValue? {
        if case .value(let value) = content { value } else { nil }
    }
}
