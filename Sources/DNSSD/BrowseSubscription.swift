/// Keeps a browse alive: a class, because the browse ends when the last reference goes.
final class BrowseSubscription: Sendable {
    private let mailbox: BrowseEventBuffer
    private let owner: MulticastDNS

    init(_ mailbox: BrowseEventBuffer, owner: MulticastDNS) {
        self.mailbox = mailbox
        self.owner = owner
    }

    func next() async -> BrowseEvent? {
        await mailbox.next()
    }

    deinit {
        mailbox.finish()
        Task { [mailbox, owner] in await owner.unsubscribe(mailbox) }
    }
}
