/// A picture of a camera. There is none, so no object that has one exists either, and what such an object would do is
/// never reached: apps that name it compile, and get nil.
struct UnavailableMedia: Sendable {
    // A structure around it, because the compiler rejects a class's property of type Never.
    private let none: Never

    /// Stands where there would be a picture.
    func unreachable() -> Never {
        switch none {}
    }
}
