public import Foundation
import HubAPI

/// Leads a person through the addition of an accessory, without a manager of homes.
///
/// Apple's system shows sheets of its own. Here each step is a question that the hub puts to whoever can answer: the page,
/// `hearth questions`, a test. Completions are called on the main queue.
///
/// - Since: iOS 15.0
public final class HMAccessorySetupManager: NSObject, Sendable {
    private let link: HubLink

    /// Makes a manager and begins to look for the hub.
    ///
    /// - Since: iOS 15.0
    public override init() {
        link = HomeKitEnvironment.present.link()
        super.init()
        link.open()
    }

    /// Sets up an accessory: asks which one, for its code, whether it is added though it is not certified, and how it is
    /// named and placed. What the request says is not asked. The delegates of the app's own homes are told of the accessory,
    /// as those of other apps are.
    ///
    /// Errors: ``HMError/Code/operationCancelled`` when a person declines or nobody answers in time (nothing is added
    /// then), ``HMError/Code/accessoryPairingFailed`` with the reason, ``HMError/Code/accessoryDiscoveryFailed`` when no
    /// accessory is to be seen, ``HMError/Code/notFound`` when there is no such home,
    /// ``HMError/Code/insufficientPrivileges`` for guests.
    ///
    /// - Since: iOS 15.4
    @preconcurrency
    public func performAccessorySetup(
        using request: HMAccessorySetupRequest,
        completionHandler completion: @escaping @Sendable (HMAccessorySetupResult?, (any Error)?) -> Void
    ) {
        link.call(HubMethods.setUpAccessories, request.parameters) { reply in
            switch reply {
            case .success(let result): completion(HMAccessorySetupResult(result), nil)
            case .failure(let error): completion(nil, HMError(error))
            }
        }
    }

    /// Sets up an accessory; see the form with a completion.
    ///
    /// - Since: iOS 15.4
    public func performAccessorySetup(using request: HMAccessorySetupRequest) async throws -> HMAccessorySetupResult {
        try await completing { performAccessorySetup(using: request, completionHandler: $0) }
    }
}
