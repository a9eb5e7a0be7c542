public import Foundation
import HomeModel
import Synchronization

/// The arrival or departure of users of the home.
///
/// In a condition, an event of type ``HMPresenceEventType/atHome`` or ``HMPresenceEventType/notAtHome`` says whether they
/// are at home.
/// - Since: iOS 11.0
public class HMPresenceEvent: HMEvent, NSCopying, NSMutableCopying, @unchecked Sendable {
    // @unchecked because the superclass is.

    fileprivate struct Content {
        var type: HMPresenceEventType
        var userType: HMPresenceEventUserType
        /// The users, for an event that isn't about the current user or all users.
        var users: Presence.People?
    }

    fileprivate let content: Mutex<Content>

    /// Creates an event.
    ///
    /// - Parameters:
    ///   - presenceEventType: What happens.
    ///   - presenceUserType: The users whose presence counts. Apps can't choose
    ///     ``HMPresenceEventUserType/customUsers``: such an event is refused when it is used.
    /// - Since: iOS 11.0
    public init(presenceEventType: HMPresenceEventType, presenceUserType: HMPresenceEventUserType) {
        content = Mutex(Content(type: presenceEventType, userType: presenceUserType))
        super.init(UUID())
    }

    /// Creates the object for an event of a trigger.
    init(_ id: UUID, _ presence: Presence, viewer: UUID?) {
        let userType: HMPresenceEventUserType =
            switch presence.people {
            case .everyone: .homeUsers
            case .caller: .currentUser
            case .users(let users): viewer.map { users == [$0] } == true ? .currentUser : .customUsers
            }
        let type = HMPresenceEventType(presence.kind)
        content = Mutex(Content(type: type, userType: userType, users: presence.people))
        super.init(id)
    }

    fileprivate init(_ id: UUID, _ content: Content) {
        self.content = Mutex(content)
        super.init(id)
    }

    /// What happens.
    /// - Since: iOS 11.0
    public var presenceEventType: HMPresenceEventType { content.withLock { $0.type } }

    /// The users whose presence counts.
    /// - Since: iOS 11.0
    public var presenceUserType: HMPresenceEventUserType { content.withLock { $0.userType } }

    /// Returns an event that can't be changed: the event itself, or a copy of one that can be.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    /// Returns an ``HMMutablePresenceEvent`` with the same type and users.
    public func mutableCopy(with zone: NSZone? = nil) -> Any {
        HMMutablePresenceEvent(copying: self)
    }

    override func occurrence(in home: HomeReference) throws(HMError) -> TriggerEvent.Occurrence {
        .presence(try presence)
    }

    /// The presence as conditions and events store it.
    var presence: Presence {
        get throws(HMError) {
            let content = content.withLock { $0 }
            let kind = Presence.Kind(content.type)
            switch content.userType {
            case .currentUser: return Presence(kind, of: .caller)
            case .homeUsers: return Presence(kind, of: .everyone)
            case .customUsers:
                guard let users = content.users else {
                    throw HMError(.invalidParameter, reason: "Apps can't choose other users than the current or all.")
                }
                return Presence(kind, of: users)
            }
        }
    }
}

/// An ``HMPresenceEvent`` that can be changed. A trigger takes the event as it is when it is passed to it.
/// - Since: iOS 11.0
public final class HMMutablePresenceEvent: HMPresenceEvent, @unchecked Sendable {
    // @unchecked because the superclass is.

    /// Creates an event.
    /// - Since: iOS 11.0
    public override init(presenceEventType: HMPresenceEventType, presenceUserType: HMPresenceEventUserType) {
        super.init(presenceEventType: presenceEventType, presenceUserType: presenceUserType)
    }

    fileprivate init(copying event: HMPresenceEvent) {
        super.init(UUID(), event.content.withLock { $0 })
    }

    /// What happens.
    /// - Since: iOS 11.0
    public override var presenceEventType: HMPresenceEventType {
        get { super.presenceEventType }
        set { content.withLock { $0.type = newValue } }
    }

    /// The users whose presence counts.
    /// - Since: iOS 11.0
    public override var presenceUserType: HMPresenceEventUserType {
        get { super.presenceUserType }
        set { content.withLock { $0.userType = newValue } }
    }

    /// Returns a copy that can't be changed.
    public override func copy(with zone: NSZone? = nil) -> Any {
        HMPresenceEvent(UUID(), content.withLock { $0 })
    }

    override var shown: HMEvent { HMPresenceEvent(uniqueIdentifier, content.withLock { $0 }) }
}
