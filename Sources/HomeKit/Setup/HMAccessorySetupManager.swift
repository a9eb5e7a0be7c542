public import Foundation
import HubAPI

/// A manager that guides the user through adding an accessory, without a home manager.
///
/// Where Apple's system shows sheets, the hub asks questions. Any client can answer them: the web page, `hearth
/// questions`, a test. Completion handlers are called on the main queue.
///
/// - Since: iOS 15.0
public final class HMAccessorySetupManager: NSObject, Sendable {
    private let link: HubLink

    /// Creates a manager and starts connecting to the hub.
    ///
    /// - Since: iOS 15.0
    public override init() {
        link = HomeKitEnvironment.present.link()
        super.init()
        link.open()
    }

    /// Sets up an accessory. The hub asks the user for the accessory, its setup code, its name and its room, and for
    /// confirmation if the accessory isn't certified. It doesn't ask for what the request already contains.
    ///
    /// The delegates of the app's own homes are notified of the accessory, as in other apps.
    ///
    /// Errors: ``HMError/Code/operationCancelled`` if the user declines or doesn't answer in time (nothing is added),
    /// ``HMError/Code/accessoryPairingFailed`` with the reason, ``HMError/Code/accessoryDiscoveryFailed`` if no
    /// accessory is found, ``HMError/Code/notFound`` if the home doesn't exist, ``HMError/Code/insufficientPrivileges``
    /// for guests.
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

    /// Sets up an accessory; see the completion-handler form.
    ///
    /// - Since: iOS 15.4
    public func performAccessorySetup(using request: HMAccessorySetupRequest) async throws -> HMAccessorySetupResult {
        try await completing { performAccessorySetup(using: request, completionHandler: $0) }
    }
}
