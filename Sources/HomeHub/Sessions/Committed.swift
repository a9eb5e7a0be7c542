import HubAPI

/// A result, and the entries that it depends on. They are on disk, and every client has received them.
struct Committed<Result: Sendable>: Sendable {
    /// The result.
    var result: Result
    /// The positions of the entries that the caller may see.
    var follows: [LogPlace]

    init(_ result: Result, follows: [LogPlace]) {
        self.result = result
        self.follows = follows
    }

    /// Returns the same entries with another result.
    func map<Other>(_ transform: (Result) -> Other) -> Committed<Other> {
        Committed<Other>(transform(result), follows: follows)
    }
}
