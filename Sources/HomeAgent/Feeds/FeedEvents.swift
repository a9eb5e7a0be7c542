import Foundation
import HubAPI
import SealedFeed

/// The events of a feed's content.
enum FeedEvents {
    /// Reads events. Those of a later version are left out, as on a connection.
    ///
    /// - Throws: `DecodingError` if one isn't an event.
    static func decode(_ content: FeedContent) throws -> [HubEvent] {
        try content.events.compactMap { line in
            guard case .event(let event)? = try WireMessage.message(from: Data(line)) else { return nil }
            return event
        }
    }

    /// Returns whether an update can be shown: its events can be read, and the alias keys of all homes that are new with it are there.
    static func areReadable(_ update: FeedUpdate) -> Bool {
        guard let events = try? decode(update.content) else { return false }
        let keys = update.content.homeKeys?.keys
        if update.isBase {
            guard case .reset(let snapshot)? = events.first, let keys else { return false }
            return snapshot.homes.keys.allSatisfy { keys[$0] != nil }
        }
        return events.allSatisfy { event in
            switch event {
            case .reset: false
            case .change(let change): change.user == nil || change.home.map { keys?[$0] != nil } ?? true
            default: true
            }
        }
    }
}
