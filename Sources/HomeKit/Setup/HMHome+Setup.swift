import Foundation
import HubAPI

extension HMHome {
    /// Guides the user through adding an accessory to this home. The hub asks for the accessory, its setup code, its
    /// name and its room, and for confirmation if the accessory isn't certified.
    ///
    /// Where Apple's system shows sheets, the hub asks questions. Any client can answer them: the web page, `hearth
    /// questions`, a test. When the completion handler is called, the accessory is in the home. Since the user adds the
    /// accessory, the app's own delegates are also notified, before the completion handler is called.
    ///
    /// Errors: ``HMError/Code/operationCancelled`` if the user declines or doesn't answer in time (nothing is added),
    /// ``HMError/Code/accessoryPairingFailed`` with the reason, ``HMError/Code/accessoryDiscoveryFailed`` if no
    /// accessory is found, ``HMError/Code/insufficientPrivileges`` for guests.
    ///
    /// - Since: iOS 10.0
    @available(*, deprecated, message: "Use HMAccessorySetupManager.performAccessorySetup(using:).")
    @preconcurrency
    public func addAndSetupAccessories(completionHandler completion: @escaping @Sendable ((any Error)?) -> Void) {
        setUp(nil) { completion($0.failure) }
    }

    /// Guides the user through adding an accessory; see the completion-handler form.
    ///
    /// - Since: iOS 10.0
    @available(*, deprecated, message: "Use HMAccessorySetupManager.performAccessorySetup(using:).")
    public func addAndSetUpAccessories() async throws {
        try await completing { addAndSetupAccessories(completionHandler: $0) }
    }

    /// Guides the user through adding the accessory whose QR code or NFC tag the app has read. It works like
    /// ``addAndSetupAccessories(completionHandler:)``, but the hub doesn't ask for the accessory or its setup code.
    ///
    /// The completion handler receives the added accessories: one accessory, or a bridge and its bridged accessories.
    /// Apple's system allows this for manufacturers' apps only.
    ///
    /// Errors: those of ``addAndSetupAccessories(completionHandler:)``, and ``HMError/Code/invalidDataFormatSpecified``
    /// if the payload is invalid.
    ///
    /// - Since: iOS 11.3
    @available(*, deprecated, message: "Use HMAccessorySetupManager.performAccessorySetup(using:).")
    @preconcurrency
    public func addAndSetupAccessories(
        with payload: HMAccessorySetupPayload,
        completionHandler completion: @escaping @Sendable ([HMAccessory]?, (any Error)?) -> Void
    ) {
        let homeReference = homeReference
        setUp(payload) { reply in
            switch reply {
            case .failure(let error): completion(nil, error)
            case .success(let result):
                completion(homeReference.context.accessories(of: homeReference) { _ in result.ids }, nil)
            }
        }
    }

    /// Guides the user through adding an accessory; see the completion-handler form.
    ///
    /// - Since: iOS 11.3
    @available(*, deprecated, message: "Use HMAccessorySetupManager.performAccessorySetup(using:).")
    public func addAndSetUpAccessories(payload: HMAccessorySetupPayload) async throws -> [HMAccessory] {
        try await completing { addAndSetupAccessories(with: payload, completionHandler: $0) }
    }

    private func setUp(
        _ payload: HMAccessorySetupPayload?,
        completion: @escaping @Sendable (Result<SetUpResult, HMError>) -> Void
    ) {
        homeReference.context.call(HubMethods.setUpAccessories, try setup(payload), completion: completion)
    }

    private func setup(_ payload: HMAccessorySetupPayload?) throws(HMError) -> SetUpAccessories {
        try homeReference.check()
        return SetUpAccessories(home: homeReference.home, payload: payload?.text)
    }
}
