public import Foundation
import HubAPI

/// What an ``HMAccessorySetupManager`` has set up.
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

    /// The accessories that were added: one, or a bridge and those behind it.
    ///
    /// - Since: iOS 15.4
    public var accessoryUniqueIdentifiers: [UUID] { result.ids }
}
