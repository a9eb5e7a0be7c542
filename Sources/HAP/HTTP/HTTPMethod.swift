/// The method of a request. Any token is a method; HAP uses three.
public struct HTTPMethod: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The method's name, in its own case.
    public let rawValue: String

    /// Creates a method from its name.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Reads.
    public static let get = HTTPMethod(rawValue: "GET")
    /// Starts pairing, identify and snapshots.
    public static let post = HTTPMethod(rawValue: "POST")
    /// Writes.
    public static let put = HTTPMethod(rawValue: "PUT")

    /// The method's name.
    public var description: String { rawValue }
}
