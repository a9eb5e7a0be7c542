package import HAP

/// Why a file is not taken for one with a controller's pairings.
package enum ControllerFileError: Error, Hashable, Sendable {
    /// The file is longer than ``ControllerFile/maximumLength``.
    case tooLong
    /// The file is no JSON: cut short, or another kind of file.
    case notJSON(JSONError)
    /// The file is JSON, and is not a controller's.
    case unknownFormat
    /// The file is one of Home Assistant's, of this name, which has no pairings.
    case unsupportedStore(String)
    /// The file is a controller's, and has no pairings.
    case noPairings
    /// The file has more pairings than ``ControllerFile/maximumPairings``.
    case tooManyPairings(Int)
}

extension ControllerFileError: CustomStringConvertible {
    /// What is wrong, and what to do about it, for people.
    package var description: String {
        switch self {
        case .tooLong: "It is longer than \(ControllerFile.maximumLength >> 20) MiB, so it is no file with pairings."
        case .notJSON(let error): "It is \(error). Is the file whole, and is it a controller's?"
        case .unknownFormat:
            "It has no pairings in a form that is known. Give aiohomekit's pairing file, or Home Assistant's "
                + ".storage/\(ControllerFileKey.configEntries)."
        case .unsupportedStore(let name):
            "It is Home Assistant's \(name), which has no pairings. They are in \(ControllerFileKey.configEntries), "
                + "beside it."
        case .noPairings: "There are no pairings in it."
        case .tooManyPairings(let count):
            "It has \(count) pairings; at most \(ControllerFile.maximumPairings) are taken from one file."
        }
    }
}
