public import Foundation
import HubAPI

/// A manager of the user's homes, and the entry point to all other objects.
///
/// A new manager connects to the hub in the background. It has no homes until its delegate's
/// ``HMHomeManagerDelegate/homeManagerDidUpdateHomes(_:)`` is called. Without a hub that never happens, and every call
/// fails. Keep the manager for as long as you use any of its objects.
///
/// Completion handlers and delegate methods are called on the main queue. Properties can be read from any thread.
/// - Since: iOS 8.0
open class HMHomeManager: NSObject, @unchecked Sendable {
    // @unchecked because the class is open. Its own stored properties are immutable and Sendable.

    let context: HomeKitContext
    private let delegateReference = DelegateReference<any HMHomeManagerDelegate>()

    /// Creates a manager and starts connecting to the hub.
    /// - Since: iOS 8.0
    public required override init() {
        context = HomeKitContext(link: HomeKitEnvironment.present.link())
        super.init()
        context.serve(self)
    }

    /// Creates a manager in the given environment.
    package init(environment: HomeKitEnvironment) {
        context = HomeKitContext(link: environment.link())
        super.init()
        context.serve(self)
    }

    deinit {
        context.releaseObjects()
    }

    /// The delegate that receives changes, held weakly.
    /// - Since: iOS 8.0
    open var delegate: (any HMHomeManagerDelegate)? {
        get { delegateReference.delegate }
        set {
            delegateReference.set { [weak newValue] in newValue }
            context.replayMissedCallbacks()
        }
    }

    /// Whether the app may use the homes. Empty until that is known.
    /// - Since: iOS 13.0
    open var authorizationStatus: HMHomeManagerAuthorizationStatus { context.authorization }

    /// The default home. It is `nil` if there is none, and until the homes are loaded.
    ///
    /// It works although Apple has deprecated it, because many apps still use it.
    /// - Since: iOS 8.0
    @available(*, deprecated, message: "Let the user choose a home.")
    open var primaryHome: HMHome? { context.primaryHome }

    /// The user's homes, in the order in which they were added. Empty until the homes are loaded.
    /// - Since: iOS 8.0
    open var homes: [HMHome] { context.homes }

    /// Makes a home the primary home.
    ///
    /// Errors: ``HMError/Code/notFound`` if it isn't one of the user's homes.
    /// - Since: iOS 8.0
    @available(*, deprecated, message: "Let the user choose a home.")
    @preconcurrency
    open func updatePrimaryHome(
        _ home: HMHome,
        completionHandler completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        context.call(HubMethods.setPrimaryHome, HomeTarget(home: home.uniqueIdentifier), completion: completion)
    }

    /// Makes a home the primary home; see the completion-handler form.
    /// - Since: iOS 8.0
    @available(*, deprecated, message: "Let the user choose a home.")
    open func updatePrimaryHome(_ home: HMHome) async throws {
        try await completing { updatePrimaryHome(home, completionHandler: $0) }
    }

    /// Adds a home. The first one becomes the primary home.
    ///
    /// Errors: ``HMError/Code/homeWithSimilarNameExists`` and the errors for invalid names.
    /// - Since: iOS 8.0
    @preconcurrency
    open func addHome(
        withName homeName: String,
        completionHandler completion: @escaping @Sendable (HMHome?, (any Error)?) -> Void
    ) {
        context.add(HubMethods.addHome, AddHome(name: homeName), among: .homes, completion) { context, id in
            context.home(id)
        }
    }

    /// Adds a home; see the completion-handler form.
    /// - Since: iOS 8.0
    open func addHome(named homeName: String) async throws -> HMHome {
        try await completing { addHome(withName: homeName, completionHandler: $0) }
    }

    /// Removes a home with all its contents, and unpairs its accessories.
    ///
    /// Errors: ``HMError/Code/notFound`` if it isn't one of the user's homes.
    /// - Since: iOS 8.0
    @preconcurrency
    open func removeHome(_ home: HMHome, completionHandler completion: @escaping @Sendable ((any Error)?) -> Void) {
        context.call(HubMethods.removeHome, HomeTarget(home: home.uniqueIdentifier), completion: completion)
    }

    /// Removes a home; see the completion-handler form.
    /// - Since: iOS 8.0
    open func removeHome(_ home: HMHome) async throws {
        try await completing { removeHome(home, completionHandler: $0) }
    }

    /// Finds the accessory with a long-term public key in the user's homes. For the key of a bridge, it finds the
    /// bridge.
    ///
    /// On Apple's systems only manufacturers' apps can do this, for their own accessories. Here every app can.
    ///
    /// Errors: ``HMError/Code/invalidParameter`` if the key isn't 32 bytes long; ``HMError/Code/notFound`` if no
    /// accessory has the key or the homes aren't loaded.
    /// - Since: iOS 26.1
    @preconcurrency
    open func findVendorAccessory(
        withHAPPublicKey hapPublicKey: Data,
        completionHandler completion: @escaping @Sendable (HMAccessory?, (any Error)?) -> Void
    ) {
        let context = context
        context.call(HubMethods.findAccessory, FindAccessory(publicKey: hapPublicKey)) {
            (reply: Result<FoundAccessory, HMError>) in
            switch reply {
            case .failure(let error):
                completion(nil, error)
            case .success(let found):
                let home = context.homes.first { $0.uniqueIdentifier == found.home }
                let accessory = home?.accessories.first { $0.uniqueIdentifier == found.id }
                completion(accessory, accessory == nil ? HMError(.notFound) : nil)
            }
        }
    }

    /// Finds an accessory by its key; see the completion-handler form.
    /// - Since: iOS 26.1
    open func findVendorAccessory(withHAPPublicKey hapPublicKey: Data) async throws -> HMAccessory {
        try await completing { findVendorAccessory(withHAPPublicKey: hapPublicKey, completionHandler: $0) }
    }
}
