public import Foundation
import HubAPI

/// The result of an accessory setup by an ``HMAccessorySetupManager``.
///
/// - Since: iOS 15.4
public final class HMAccessorySetupResult: NSObject, Sendable {
    private let result: SetUpResult

    init(_ result: SetUpResult) {
        self.result = result
    }

    /// The home to which the accessories were added.
    ///
    /// - Since: iOS 15.4
    public var homeUniqueIdentifier: UUID { result.home }

    /// The added accessories: one accessory, or a bridge and its bridged accessories.
    ///
    /// - Since: iOS 15.4
    public var accessoryUniqueIdentifiers: [UUID] { result.ids }
}
