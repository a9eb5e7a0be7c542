public import Foundation
import HubAPI
import Synchronization

/// What an ``HMAccessorySetupManager`` is asked for: what is known already of the accessory and of its place.
///
/// - Since: iOS 15.4
public final class HMAccessorySetupRequest: NSObject, Sendable {
    private struct Content {
        var payload: HMAccessorySetupPayload?
        var home: UUID?
        var room: UUID?
        var name: String?
    }

    private let content = Mutex(Content())

    /// Makes a request that says nothing yet: the person is asked for everything.
    ///
    /// - Since: iOS 15.4
    public override init() {}

    /// What the accessory's QR code or NFC tag says; nil has the person choose the accessory and tell its code.
    ///
    /// - Since: iOS 15.4
    public var payload: HMAccessorySetupPayload? {
        get { content.withLock { $0.payload } }
        set { content.withLock { $0.payload = newValue } }
    }

    /// The home; nil takes the only one, or has the person choose.
    ///
    /// - Since: iOS 15.4
    public var homeUniqueIdentifier: UUID? {
        get { content.withLock { $0.home } }
        set { content.withLock { $0.home = newValue } }
    }

    /// The room that is suggested to the person; otherwise the default room.
    ///
    /// - Since: iOS 15.4
    public var suggestedRoomUniqueIdentifier: UUID? {
        get { content.withLock { $0.room } }
        set { content.withLock { $0.room = newValue } }
    }

    /// The name that is suggested to the person; otherwise the accessory's own. One that is no name, or taken, is not
    /// suggested.
    ///
    /// - Since: iOS 15.4
    public var suggestedAccessoryName: String? {
        get { content.withLock { $0.name } }
        set { content.withLock { $0.name = newValue } }
    }

    /// The call of the hub.
    var parameters: SetUpAccessories {
        content.withLock {
            SetUpAccessories(home: $0.home, payload: $0.payload?.text, name: $0.name, room: $0.room)
        }
    }
}
