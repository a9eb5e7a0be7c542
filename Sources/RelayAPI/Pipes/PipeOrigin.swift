package import HomeIdentity

/// Where a pipe to a hub comes from: what the relay has checked of whoever opens it.
package enum PipeOrigin: Hashable, Sendable {
    /// A reader of a feed with the right to pipes.
    case feed(FeedID)
    /// Somebody with the key of a door.
    case door(PublicKey)

    /// Reads what an opening frame says. Returns `nil` if it says something else.
    init?(_ bytes: some Collection<UInt8>) {
        switch bytes.count {
        case FeedID.byteCount:
            guard let feed = FeedID(bytes) else { return nil }
            self = .feed(feed)
        case PublicKey.byteCount:
            guard let key = PublicKey(bytes) else { return nil }
            self = .door(key)
        default: return nil
        }
    }

    /// The bytes in an opening frame. Their number tells what they are.
    var bytes: [UInt8] {
        switch self {
        case .feed(let feed): feed.bytes
        case .door(let key): key.bytes
        }
    }

    /// The feed; `nil` for a door.
    package var feed: FeedID? {
        guard case .feed(let feed) = self else { return nil }
        return feed
    }
}
