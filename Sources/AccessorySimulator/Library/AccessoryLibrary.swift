/// Ready accessories, one of each common kind, with plausible values and habits: a door that takes its time, a room that
/// cools down, a lock that jams, a battery that empties.
///
/// Their files are those of `Examples/Accessories`.
public enum AccessoryLibrary {
    /// The names, in alphabetical order.
    public static var names: [String] { files.keys.sorted() }

    /// The text of an accessory's file, from which one's own can be made.
    ///
    /// - Throws: ``SimulatorError`` with the code `notFound`; the reason lists what there is.
    public static func file(_ name: String) throws(SimulatorError) -> String {
        guard let file = files[name] else {
            throw SimulatorError(
                .notFound,
                reason: "The library has no '\(name)'; it has \(names.joined(separator: ", "))"
            )
        }
        return file
    }

    /// An accessory.
    ///
    /// - Throws: ``SimulatorError`` with the code `notFound`; the reason lists what there is.
    public static func accessory(_ name: String) throws(SimulatorError) -> AccessoryDescription {
        try AccessoryDescription(parsing: Array(try file(name).utf8), source: "\(name).json")
    }
}
