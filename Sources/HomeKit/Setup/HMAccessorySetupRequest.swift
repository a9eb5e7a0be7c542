public import Foundation
import HubAPI
import Synchronization

/// A request to an ``HMAccessorySetupManager``, with the known properties of the accessory to add.
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

    /// Creates an empty request: the hub asks the user for everything.
    ///
    /// - Since: iOS 15.4
    public override init() {}

    /// The payload of the accessory's QR code or NFC tag. If it is `nil`, the user chooses the accessory and enters its
    /// setup code.
    ///
    /// - Since: iOS 15.4
    public var payload: HMAccessorySetupPayload? {
        get { content.withLock { $0.payload } }
        set { content.withLock { $0.payload = newValue } }
    }

    /// The home. If it is `nil`, the only home is used or the user chooses one.
    ///
    /// - Since: iOS 15.4
    public var homeUniqueIdentifier: UUID? {
        get { content.withLock { $0.home } }
        set { content.withLock { $0.home = newValue } }
    }

    /// The room to suggest to the user (default: the default room).
    ///
    /// - Since: iOS 15.4
    public var suggestedRoomUniqueIdentifier: UUID? {
        get { content.withLock { $0.room } }
        set { content.withLock { $0.room = newValue } }
    }

    /// The name to suggest to the user (default: the accessory's own name). An invalid or existing name isn't
    /// suggested.
    ///
    /// - Since: iOS 15.4
    public var suggestedAccessoryName: String? {
        get { content.withLock { $0.name } }
        set { content.withLock { $0.name = newValue } }
    }

    /// The parameters of the hub call.
    var parameters: SetUpAccessories {
        content.withLock {
            SetUpAccessories(home: $0.home, payload: $0.payload?.text, name: $0.name, room: $0.room)
        }
    }
}
