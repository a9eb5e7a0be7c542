/// A hub's request for batches that a relay has and it lacks.
package struct FetchRequest: Hashable, Sendable {
    /// The position after which it needs batches.
    package var after: BatchPosition

    /// Creates a request.
    package init(after: BatchPosition) {
        self.after = after
    }
}
