package import HAP

/// An error in a file with a controller's pairings.
package enum ControllerFileError: Error, Hashable, Sendable {
    /// The file is longer than ``ControllerFile/maximumLength``.
    case tooLong
    /// The file is not JSON: it is truncated or another kind of file.
    case notJSON(JSONError)
    /// The file is JSON in an unknown format.
    case unknownFormat
    /// The file is a Home Assistant file with this name, which doesn't contain pairings.
    case unsupportedStore(String)
    /// The file has a known format but no pairings.
    case noPairings
    /// The file has more pairings than ``ControllerFile/maximumPairings``.
    case tooManyPairings(Int)
}

extension ControllerFileError: CustomStringConvertible {
    /// The human-readable reason, and what to do.
    package var description: String {
        switch self {
        case .tooLong: "It is larger than \(ControllerFile.maximumLength >> 20) MiB, so it is not a pairing file."
        case .notJSON(let error): "It is \(error). Check that the file is complete and is a controller's file."
        case .unknownFormat:
            "Its format is unknown. Use aiohomekit's pairing file, or Home Assistant's "
                + ".storage/\(ControllerFileKey.configEntries)."
        case .unsupportedStore(let name):
            "It is Home Assistant's \(name), which has no pairings. Use \(ControllerFileKey.configEntries) in the "
                + "same folder."
        case .noPairings: "It contains no pairings."
        case .tooManyPairings(let count):
            "It contains \(count) pairings; the maximum per file is \(ControllerFile.maximumPairings)."
        }
    }
}
