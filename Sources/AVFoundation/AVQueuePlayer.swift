/// A player of several items, one after the other without a gap.
///
/// An item that was heard to its end is removed from the queue. After the last one, the player pauses.
/// - Since: iOS 4.1
open class AVQueuePlayer: AVPlayer, @unchecked Sendable {
    // @unchecked as its superclass.

    /// Creates a player of items.
    /// - Since: iOS 4.1
    public convenience init(items: [AVPlayerItem]) {
        self.init(items: items, endAction: .advance)
    }

    override init(items: [AVPlayerItem], endAction: ActionAtItemEnd) {
        super.init(items: items, endAction: .advance)
    }

    /// Returns the items, the current one first.
    /// - Since: iOS 4.1
    open func items() -> [AVPlayerItem] { queueItems }

    /// Returns whether an item can be inserted: an item can be only in one player, and only once.
    /// - Since: iOS 4.1
    open func canInsert(_ item: AVPlayerItem, after afterItem: AVPlayerItem?) -> Bool {
        let items = queueItems
        return item.player == nil && (afterItem.map { after in items.contains { $0 === after } } ?? true)
    }

    /// Inserts an item, if that is possible.
    ///
    /// - Parameters:
    ///   - item: The item.
    ///   - afterItem: The item before it; `nil` to insert it at the end.
    /// - Since: iOS 4.1
    open func insert(_ item: AVPlayerItem, after afterItem: AVPlayerItem?) {
        guard canInsert(item, after: afterItem) else { return }
        var items = queueItems
        let index = items.firstIndex { $0 === afterItem }.map { $0 + 1 } ?? items.endIndex
        items.insert(item, at: index)
        replaceItems(items)
    }

    /// Removes an item. If it is the current one, the next one plays.
    /// - Since: iOS 4.1
    open func remove(_ item: AVPlayerItem) {
        replaceItems(queueItems.filter { $0 !== item })
    }

    /// Removes all items, and stops.
    /// - Since: iOS 4.1
    open func removeAllItems() {
        replaceItems([])
    }

    /// Removes the current item, and plays the next one. What a receiver hasn't played is discarded.
    /// - Since: iOS 4.1
    open func advanceToNextItem() {
        replaceItems(Array(queueItems.dropFirst()))
    }
}
