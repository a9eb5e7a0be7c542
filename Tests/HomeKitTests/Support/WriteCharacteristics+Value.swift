import HAPCatalog
import HubAPI

extension WriteCharacteristics.Write {
    /// The value that is written; nil if it is a difference.
    var writtenValue: CharacteristicValue? {
        if case .value(let value) = content { value } else { nil }
    }
}
