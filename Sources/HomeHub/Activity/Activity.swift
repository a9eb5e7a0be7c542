import Automations
import Foundation
import HAPCatalog
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
    /// Writes succeeded, but left the known values as they were.
    case repeatedWrites([ValueActivity])
    /// A user's client failed to write a value, or the hub did.
    case failedWrites([FailedWrite])
    /// A trigger's event happened.
    case trigger(TriggerActivity)
    /// An event of triggers happened whose common condition wasn't true.
    case held(HeldTriggers)
    /// An action set ran.
    case scene(SceneActivity)
    /// A user said a sentence that asks for something to be done.
    case said(SentenceActivity)
    /// Action sets began or ended a run, or triggers fired.
    case runs([RunUpdate])
    /// Users arrived or left, or moved.
    case presence(PresenceActivity)
    /// A user was invited to sign in, or signed in with an invitation.
    case device(DeviceActivity)
    /// The relay that keeps the feeds, or a feed there, has changed.
    case sync(SyncActivity)
    /// The hubs that keep the homes have changed, or another one leads.
    case hub(HubActivity)
}

/// A write that failed.
struct FailedWrite: Sendable {
    /// The home.
    var home: UUID
    /// The characteristic. Its instance ID is 0 if the accessory currently lacks it.
    var characteristic: CharacteristicReference
    /// The value that was to be written; `nil` for a difference that could not be computed.
    var value: CharacteristicValue?
    /// Why it failed.
    var error: HubError
    /// The cause of the write, and the caller who requested it.
    var origin: Origin
    /// The type of a characteristic that the accessory currently lacks; `nil` for others.
    var missingType: HAPType?
}

/// An event of a trigger and its outcome.
struct TriggerActivity: Sendable {
    /// The ID of this activity, to which the runs that it causes refer.
    var id: UUID
    /// The home.
    var home: UUID
    /// The trigger.
    var trigger: UUID
    /// The hub's time.
    var time: Date
    /// The outcome.
    var outcome: TriggerOutcome
    /// The event; `nil` for a timer.
    var event: TriggerEvent?
    /// The terms of the trigger's condition as they were found.
    var observations: [Observation]
    /// When a timer or a calendar event was due, or the moment of the sun; `nil` for other events.
    var due: Date?
    /// The activity that caused the event, such as the run that changed the characteristic.
    var parent: UUID?
}

/// A run of an action set.
struct SceneActivity: Sendable {
    /// The ID of this activity, to which the written values refer.
    var id: UUID
    /// The home.
    var home: UUID
    /// The action set.
    var actionSet: UUID
    /// The hub's time at the start of the run.
    var time: Date
    /// The number of actions.
    var actions: Int
    /// The number of actions that failed.
    var failures: Int
    /// The cause of the run, and the caller who requested it.
    var origin: Origin
}

/// A sentence that is carried out.
struct SentenceActivity: Sendable {
    /// The ID of this activity, to which the written values and runs refer.
    var id: UUID
    /// The home.
    var home: UUID
    /// The sentence.
    var text: String
    /// The hub's time.
    var time: Date
    /// The cause of the sentence, and the caller who said it.
    var origin: Origin
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

    /// The homes that the entries change or remove.
    var changedHomes: Set<UUID> {
        Set(entries.compactMap { entry in if case .home(let home) = entry.draft.log { home } else { nil } })
            .union([removedHome].compactMap(\.self))
    }
}

/// A value that arrived, and its origin.
struct ValueActivity: Sendable {
    /// The characteristic and its value.
    var update: ValueUpdate
    /// The value that was known before; `nil` if none was.
    var previous: CharacteristicValue?
    /// When the value arrived from the accessory.
    var arrival: ArrivalOrder
    /// The cause of the value, and the caller who requested it.
    var origin: Origin
    /// The session that receives the value in the reply to its own request; `nil` if none does.
    var repliedTo: UUID?
    /// Whether every client receives the value, not only the subscribed ones.
    var isForAll = false
    /// Whether it is an event, such as a button press, and not a state. Each one counts.
    var isMomentary = false
}

/// A user who was invited, and the devices that come and go.
struct DeviceActivity: Sendable {
    /// What happened.
    enum Event: Sendable {
        /// The user was invited.
        case invited
        /// A browser signed in with an invitation.
        case signedIn
        /// A device joined over the network.
        case joined(name: String)
        /// A device that had joined was removed.
        case removed(name: String)
    }

    /// The home.
    var home: UUID
    /// The user.
    var user: UUID
    /// What happened.
    var event: Event
    /// The hub's time.
    var time: Date
    /// The cause, and the caller who requested it.
    var origin: Origin
}

/// A change of what the hub keeps at a relay, which concerns the homes of a user or all homes.
struct SyncActivity: Sendable {
    /// What happened.
    enum Event: Sendable {
        /// The hub has begun to use a relay, or uses it in another way.
        case enabled(relay: String)
        /// The hub has moved to another relay.
        case moved(relay: String, former: String)
        /// The hub uses no relay any longer.
        case disabled(relay: String)
        /// A user's feed has begun.
        case feedBegun(user: UUID)
        /// A user's feed has ended.
        case feedEnded(user: UUID)
        /// The relay had lost a user's feed, and the hub has written it again.
        case refilled(user: UUID)
        /// The hub's data was set back to an old copy.
        case setBack
        /// The hub goes on after that, with the relay's later changes or without.
        case settled(HubSettlement.Way)
        /// A backup was put at the relay.
        case vaultMade(relay: String)
        /// A device of the owner's has opened the backup at the relay.
        case vaultOpened(relay: String)
    }

    /// What happened.
    var event: Event
    /// The hub's time.
    var time: Date
    /// The cause, and the caller who requested it.
    var origin = Origin(cause: .hub, caller: nil)
}

/// A report of a user's presence.
struct PresenceActivity: Sendable {
    /// The home.
    var home: UUID
    /// The user.
    var user: UUID
    /// Whether the user was at home; `nil` if it was never reported.
    var wasHome: Bool?
    /// Whether the user is at home.
    var isHome: Bool
    /// Where the user was before; `nil` if that is unknown.
    var from: Place?
    /// Where the user is now; `nil` if the report doesn't say.
    var to: Place?
    /// The hub's time.
    var time: Date
    /// The cause of the report, and the caller who made it.
    var origin: Origin
}
