/// Built-in accessories of each common kind, with plausible values and habits: a door that takes time to open, a room
/// that cools down, a lock that jams, a battery that drains.
///
/// Their files are in `Examples/Accessories`.
public enum AccessoryLibrary {
    /// The names, in alphabetical order.
    public static var names: [String] { files.keys.sorted() }

    /// Returns an accessory's file, as a starting point for a custom one.
    ///
    /// - Throws: ``SimulatorError`` with the code `notFound`; the reason lists the available names.
    public static func file(_ name: String) throws(SimulatorError) -> String {
        guard let file = files[name] else {
            throw SimulatorError(
                .notFound,
                reason: "The library has no accessory '\(name)'; choose one of: \(names.joined(separator: ", "))"
            )
        }
        return file
    }

    /// Returns an accessory.
    ///
    /// - Throws: ``SimulatorError`` with the code `notFound`; the reason lists the available names.
    public static func accessory(_ name: String) throws(SimulatorError) -> AccessoryDescription {
        try AccessoryDescription(parsing: Array(try file(name).utf8), source: "\(name).json")
    }
}
