import HubAPI

/// A result, and the entries that it follows: they are on the disk, and every client was told of them.
struct Committed<Result: Sendable>: Sendable {
    /// The result.
    var result: Result
    /// Where the entries are that the caller may see.
    var follows: [LogPlace]

    init(_ result: Result, follows: [LogPlace]) {
        self.result = result
        self.follows = follows
    }

    /// The same entries with another result.
    func map<Other>(_ transform: (Result) -> Other) -> Committed<Other> {
        Committed<Other>(transform(result), follows: follows)
    }
}
