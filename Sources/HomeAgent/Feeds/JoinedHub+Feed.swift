import Foundation
import HomeModel
import HubAPI
import SealedFeed
import Synchronization

/// What a hub's feed tells while the hub is out of reach.
extension JoinedHub {
    /// Stores what is known of the feed together with the copy that an update leads to, and then shows the update.
    ///
    /// - Returns: Whether it is stored. An update isn't while the hub is in reach, which tells its news itself.
    func keep(_ feed: CopyFeed, _ update: FeedUpdate?) async -> Bool {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: self.keepNow(feed, update)) }
        }
    }

    /// Runs on the hub's queue, on which nothing else changes the copy.
    private func keepNow(_ feed: CopyFeed, _ update: FeedUpdate?) -> Bool {
        let (copy, writer, isOpen) = state.withLock { state in
            (state.copy, state.writer, !state.isStopped && (update == nil || !state.isNear))
        }
        guard isOpen else { return false }
        var news = FeedNews(copy)
        var events: [HubEvent] = []
        if let update {
            // The reader has checked that the events can be read.
            guard let decoded = try? FeedEvents.decode(update.content) else { return false }
            events = decoded
            if let standing = Self.farewell(in: events, to: feed.kept.device) {
                // It isn't noted as read, so that a device that stops here reads it again.
                self.feed?.send(.moved(standing))
                return false
            }
            news.take(events, update.content.homeKeys, isKnown: feed.isKnown(feed.kept.place))
        }
        guard writer?.store(feed, with: news.copy, news.steps.map(\.stored)) ?? true else { return false }
        guard news.hasChanged else { return true }
        let observer = state.withLock { state in
            state.copy = news.copy
            state.hasFeedNews = true
            return state.observer
        }
        observer?(.fed(news))
        return true
    }

    /// Returns where a feed's last entry says that the feed is from now on; `nil` if it isn't the last one.
    private static func farewell(in events: [HubEvent], to device: UUID) -> FeedStanding? {
        for case .feed(var standing) in events {
            // The entry is for all devices of the person.
            standing.location?.device = device
            return standing
        }
        return nil
    }

    /// Tells sessions of another standing, if it is one: of other times, or because the hub is silent.
    func feedDidChange() {
        queue.async { [weak self] in
            guard let self else { return }
            let observer = state.withLock { state -> (@Sendable (Change) -> Void)? in
                guard !state.isNear, !state.isStopped else {
                    state.told = nil
                    return nil
                }
                let standing = standing(state)
                guard state.told != standing else { return nil }
                state.told = standing
                return state.observer
            }
            observer?(.fed(FeedNews(view.copy)))
        }
    }
}
