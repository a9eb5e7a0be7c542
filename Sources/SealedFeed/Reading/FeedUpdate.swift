/// Checked content of a feed.
package struct FeedUpdate: Hashable, Sendable {
    /// Whether it replaces everything that the reader knew.
    package var isBase: Bool
    /// The content.
    package var content: FeedContent
    /// The hub's time in milliseconds since 1970; 0 if its clock was never set.
    package var time: Int

    /// Creates an update.
    package init(isBase: Bool, content: FeedContent, time: Int) {
        self.isBase = isBase
        self.content = content
        self.time = time
    }
}
