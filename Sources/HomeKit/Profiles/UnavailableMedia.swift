/// A stand-in for camera media, which don't exist here. It can't be created, so no object that has one exists. Apps
/// that name such a type compile, and get `nil`.
struct UnavailableMedia: Sendable {
    // This is a structure because the compiler rejects a class's property of type Never.
    private let none: Never

    /// Marks code that is never reached.
    func unreachable() -> Never {
        switch none {}
    }
}
