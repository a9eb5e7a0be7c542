/// A subscription that keeps a browse alive. This is a class because the browse ends when the last reference is
/// released.
final class BrowseSubscription: Sendable {
    private let buffer: BrowseEventBuffer
    private let owner: MulticastDNS

    init(_ buffer: BrowseEventBuffer, owner: MulticastDNS) {
        self.buffer = buffer
        self.owner = owner
    }

    func next() async -> BrowseEvent? {
        await buffer.next()
    }

    deinit {
        buffer.finish()
        Task { [buffer, owner] in await owner.unsubscribe(buffer) }
    }
}
