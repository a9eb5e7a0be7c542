public import Foundation
import HomeModel
import HubAPI
import Synchronization

/// A home: its rooms, zones, accessories, service groups, action sets, triggers and users.
///
/// Get homes from an ``HMHomeManager``. Completion handlers and delegate methods are called on the main queue. When a
/// completion handler is called, the home already reflects the change. Properties can be read from any thread.
///
/// Unlike on Apple's systems, the class can't be subclassed, because only the framework creates its objects.
/// - Since: iOS 8.0
public final class HMHome: NSObject, Sendable {
    let homeReference: HomeReference
    private let lastName = Mutex<String?>(nil)
    private let delegateReference = DelegateReference<any HMHomeDelegate>()

    init(_ homeReference: HomeReference) {
        self.homeReference = homeReference
    }

    /// Freezes the home in its last state after its removal.
    func freeze(_ last: Home, name: String?) {
        lastName.withLock { $0 = name }
        homeReference.freeze(last)
    }

    /// The delegate that receives changes, held weakly.
    /// - Since: iOS 8.0
    public var delegate: (any HMHomeDelegate)? {
        get { delegateReference.delegate }
        set { delegateReference.set { [weak newValue] in newValue } }
    }

    /// The home's identity. It never changes.
    /// - Since: iOS 9.0
    public var uniqueIdentifier: UUID { homeReference.home }

    /// The user's name for the home.
    /// - Since: iOS 8.0
    public var name: String {
        if homeReference.isGone { return lastName.withLock { $0 } ?? "" }
        return homeReference.context.link.read { $0.account.home(homeReference.home)?.name } ?? ""
    }

    /// Whether this is the user's primary home.
    /// - Since: iOS 8.0
    public var isPrimary: Bool {
        !homeReference.isGone
            && homeReference.context.link.read { $0.account.home(homeReference.home)?.isPrimary } ?? false
    }

    /// Renames the home.
    ///
    /// Errors: ``HMError/Code/homeWithSimilarNameExists`` and the errors for invalid names.
    /// - Since: iOS 8.0
    @preconcurrency
    public func updateName(
        _ name: String,
        completionHandler completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        let home = homeReference.home
        homeReference.context.call(
            HubMethods.renameHome,
            RenameHome(home: home, name: name),
            among: .homes,
            completion: completion
        )
    }

    /// Renames the home; see the completion-handler form.
    /// - Since: iOS 8.0
    public func updateName(_ name: String) async throws {
        try await completing { updateName(name, completionHandler: $0) }
    }
}
