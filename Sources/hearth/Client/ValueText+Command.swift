import HAPCatalog
import HomeText

extension ValueText {
    /// Parses a value that was given on the command line.
    ///
    /// - Throws: `invalidValueType` if the text isn't a value of the characteristic.
    func commandValue(of text: String, named name: String) throws(CommandFailure) -> CharacteristicValue {
        if let value = value(of: text) { return value }
        throw CommandFailure("invalidValueType", "“\(text)” is not a value of \(name). Use \(example).")
    }
}
