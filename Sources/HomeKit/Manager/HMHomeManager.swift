public import Foundation
import HubAPI

/// The user's homes: the way into everything else.
///
/// A new manager looks for the hub in the background. Until its delegate hears
/// ``HMHomeManagerDelegate/homeManagerDidUpdateHomes(_:)`` there are no homes to see; without a hub that never comes, and
/// every call ends with an error. Keep the manager for as long as you use any of its objects.
///
/// Completions and delegates are called on the main queue. Properties may be read on any thread.
/// - Since: iOS 8.0
open class HMHomeManager: NSObject, @unchecked Sendable {
    // @unchecked: the class is open, so the compiler cannot know; all that it has itself is constant and Sendable.

    let context: HomeKitContext
    private let delegateReference = DelegateReference<any HMHomeManagerDelegate>()

    /// Makes a manager and begins to look for the hub.
    /// - Since: iOS 8.0
    public required override init() {
        context = HomeKitContext(link: HomeKitEnvironment.present.link())
        super.init()
        context.serve(self)
    }

    /// Makes a manager in an environment of its own.
    package init(environment: HomeKitEnvironment) {
        context = HomeKitContext(link: environment.link())
        super.init()
        context.serve(self)
    }

    deinit {
        context.letGo()
    }

    /// Who hears of changes; held weakly.
    /// - Since: iOS 8.0
    open var delegate: (any HMHomeManagerDelegate)? {
        get { delegateReference.delegate }
        set {
            delegateReference.set { [weak newValue] in newValue }
            context.repeatUnheard()
        }
    }

    /// Whether the app may use the homes; empty until that is known.
    /// - Since: iOS 13.0
    open var authorizationStatus: HMHomeManagerAuthorizationStatus { context.authorization }

    /// The home that is meant unless another is named; nil until the homes are there, and when there is none.
    ///
    /// It works, though Apple has deprecated it: many apps start with it.
    /// - Since: iOS 8.0
    @available(*, deprecated, message: "Let people choose one of the homes.")
    open var primaryHome: HMHome? { context.primaryHome }

    /// The user's homes in the order in which they were added; none until they are there.
    /// - Since: iOS 8.0
    open var homes: [HMHome] { context.homes }

    /// Makes a home the primary one.
    ///
    /// Errors: ``HMError/Code/notFound`` when it is none of the user's.
    /// - Since: iOS 8.0
    @available(*, deprecated, message: "Let people choose one of the homes.")
    @preconcurrency
    open func updatePrimaryHome(
        _ home: HMHome,
        completionHandler completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        context.call(HubMethods.setPrimaryHome, HomeTarget(home: home.uniqueIdentifier), completion: completion)
    }

    /// Makes a home the primary one; see the form with a completion.
    /// - Since: iOS 8.0
    @available(*, deprecated, message: "Let people choose one of the homes.")
    open func updatePrimaryHome(_ home: HMHome) async throws {
        try await completing { updatePrimaryHome(home, completionHandler: $0) }
    }

    /// Adds a home. The first one becomes the primary home.
    ///
    /// Errors: ``HMError/Code/homeWithSimilarNameExists``, and those of ill-formed names.
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

    /// Adds a home; see the form with a completion.
    /// - Since: iOS 8.0
    open func addHome(named homeName: String) async throws -> HMHome {
        try await completing { addHome(withName: homeName, completionHandler: $0) }
    }

    /// Removes a home with all that is in it; its accessories are unpaired.
    ///
    /// Errors: ``HMError/Code/notFound`` when it is none of the user's.
    /// - Since: iOS 8.0
    @preconcurrency
    open func removeHome(_ home: HMHome, completionHandler completion: @escaping @Sendable ((any Error)?) -> Void) {
        context.call(HubMethods.removeHome, HomeTarget(home: home.uniqueIdentifier), completion: completion)
    }

    /// Removes a home; see the form with a completion.
    /// - Since: iOS 8.0
    open func removeHome(_ home: HMHome) async throws {
        try await completing { removeHome(home, completionHandler: $0) }
    }

    /// Finds the accessory with a long-term public key in the user's homes. Of a bridge it finds the bridge.
    ///
    /// On Apple's systems only makers' apps may ask, for their own accessories. Here every app may.
    ///
    /// Errors: ``HMError/Code/invalidParameter`` for a key that does not have 32 bytes; ``HMError/Code/notFound`` when no
    /// accessory has it, and until the homes are there.
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

    /// Finds an accessory by its key; see the form with a completion.
    /// - Since: iOS 26.1
    open func findVendorAccessory(withHAPPublicKey hapPublicKey: Data) async throws -> HMAccessory {
        try await completing { findVendorAccessory(withHAPPublicKey: hapPublicKey, completionHandler: $0) }
    }
}
