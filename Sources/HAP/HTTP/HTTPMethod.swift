/// The method of a request. Any token is valid; HAP uses three.
public struct HTTPMethod: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The method's name, which is case-sensitive.
    public let rawValue: String

    /// Creates a method from its name.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Creates a method from the bytes of its name. The usual methods need no new string.
    init(_ name: UnsafeRawBufferPointer) {
        if HTTPSyntax.isSame(name, "GET") {
            self = .get
        } else if HTTPSyntax.isSame(name, "PUT") {
            self = .put
        } else {
            self.init(rawValue: String(decoding: name, as: UTF8.self))
        }
    }

    /// Reads characteristics or the attribute database.
    public static let get = HTTPMethod(rawValue: "GET")
    /// Requests pairing, identify or a snapshot.
    public static let post = HTTPMethod(rawValue: "POST")
    /// Writes characteristics or prepares a timed write.
    public static let put = HTTPMethod(rawValue: "PUT")

    /// The method's name.
    public var description: String { rawValue }
}
