import Foundation
import HAPClient
import HomeModel
import HubAPI

/// An event within the hub. The hub's parts receive it before any session does.
enum Activity: Sendable {
    /// A request's entries are on disk.
    case stored(StoredRequest)
    /// Values of characteristics changed, or momentary events such as button presses occurred. All are of one home.
    case values([ValueActivity])
    /// Accessories became reachable or unreachable, or the reason changed.
    case reachability([ReachabilityUpdate])
    /// A question waits for an answer.
    case asked(Question, QuestionDraft.Audience)
    /// A question was answered, declined or has expired.
    case questionClosed(UUID, QuestionDraft.Audience)
    /// An accessory that isn't in a home is on the network, or its advertisement changed.
    case discovered(DiscoveredAccessory)
    /// An accessory that isn't in a home left the network, or joined a home.
    case discoveryLost(UUID)
}

/// The entries of one request, once they are on disk.
struct StoredRequest: Sendable {
    /// An entry, with its position in its log.
    struct Entry: Sendable {
        /// The change with its caller, cause and time.
        var draft: EntryDraft
        /// The log's lineage and its revision with this entry.
        var cursor: LogCursor

        /// The entry's position, as its caller may see it; `nil` if the log is another user's.
        var place: LogPlace? {
            switch draft.log {
            case .home(let home): LogPlace(home: home, lineage: cursor.lineage, revision: cursor.revision)
            case .account(draft.caller.user):
                LogPlace(home: nil, lineage: cursor.lineage, revision: cursor.revision)
            case .account: nil
            }
        }
    }

    /// The entries in order.
    var entries: [Entry]
    /// The home whose log was removed along with the entries; `nil` if none was.
    var removedHome: UUID?
    /// All homes and accounts with these entries applied.
    var state: HomeDatabase.State
}

/// A value that arrived, and its origin.
struct ValueActivity: Sendable {
    /// The characteristic and its value.
    var update: ValueUpdate
    /// When the value arrived from the accessory.
    var arrival: ArrivalOrder
    /// The cause of the value, and the caller who requested it.
    var origin: Origin
    /// The session that receives the value in the reply to its own request; `nil` if none does.
    var repliedTo: UUID?
    /// Whether every client receives the value, not only the subscribed ones.
    var isForAll = false
}
