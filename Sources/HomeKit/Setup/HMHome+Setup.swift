import Foundation
import HubAPI

extension HMHome {
    /// Leads a person through the addition of an accessory to this home: asks which one, for its set-up code, whether it is
    /// added though it is not certified, and how it is named and placed.
    ///
    /// Apple's system shows sheets of its own. Here each step is a question that the hub puts to whoever can answer: the
    /// page, `hearth questions`, a test. The accessory is the home's when the completion runs. It is the person who adds it, so
    /// the app's own delegates are told of it, before the completion.
    ///
    /// Errors: ``HMError/Code/operationCancelled`` when a person declines or nobody answers in time (nothing is added
    /// then), ``HMError/Code/accessoryPairingFailed`` with the reason, ``HMError/Code/accessoryDiscoveryFailed`` when no
    /// accessory is to be seen, ``HMError/Code/insufficientPrivileges`` for guests.
    ///
    /// - Since: iOS 10.0
    @available(*, deprecated, message: "Use HMAccessorySetupManager.performAccessorySetup(using:).")
    @preconcurrency
    public func addAndSetupAccessories(completionHandler completion: @escaping @Sendable ((any Error)?) -> Void) {
        setUp(nil) { completion($0.failure) }
    }

    /// Leads a person through the addition of an accessory; see the form with a completion.
    ///
    /// - Since: iOS 10.0
    @available(*, deprecated, message: "Use HMAccessorySetupManager.performAccessorySetup(using:).")
    public func addAndSetUpAccessories() async throws {
        try await completing { addAndSetupAccessories(completionHandler: $0) }
    }

    /// Leads a person through the addition of the accessory whose QR code or NFC tag the app has read: as
    /// ``addAndSetupAccessories(completionHandler:)``, but neither the accessory nor its set-up code are asked for.
    ///
    /// The completion gets the accessories that were added: one, or a bridge and those behind it. Apple's system has this
    /// for makers' apps only.
    ///
    /// Errors: those of ``addAndSetupAccessories(completionHandler:)``, and
    /// ``HMError/Code/invalidDataFormatSpecified`` when the payload has no usable code.
    ///
    /// - Since: iOS 11.3
    @available(*, deprecated, message: "Use HMAccessorySetupManager.performAccessorySetup(using:).")
    @preconcurrency
    public func addAndSetupAccessories(
        with payload: HMAccessorySetupPayload,
        completionHandler completion: @escaping @Sendable ([HMAccessory]?, (any Error)?) -> Void
    ) {
        let view = view
        setUp(payload) { reply in
            switch reply {
            case .failure(let error): completion(nil, error)
            case .success(let result): completion(view.context.accessories(of: view) { _ in result.ids }, nil)
            }
        }
    }

    /// Leads a person through the addition of an accessory; see the form with a completion.
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
        view.context.call(HubMethods.setUpAccessories, try setup(payload), completion: completion)
    }

    private func setup(_ payload: HMAccessorySetupPayload?) throws(HMError) -> SetUpAccessories {
        try view.check()
        return SetUpAccessories(home: view.home, payload: payload?.text)
    }
}
