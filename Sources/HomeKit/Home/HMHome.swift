public import Foundation
import HomeModel
import HubAPI
import Synchronization

/// A home: its rooms, zones and accessories.
///
/// Homes come from an ``HMHomeManager``. Completions and the delegate are called on the main queue, completions when the
/// home shows what was done. Properties may be read on any thread.
///
/// Unlike on Apple's systems the class cannot be subclassed: its objects come from the home alone.
/// - Since: iOS 8.0
public final class HMHome: NSObject, Sendable {
    let view: HomeReference
    private let lastName = Mutex<String?>(nil)
    private let delegateReference = DelegateReference<any HMHomeDelegate>()

    init(_ view: HomeReference) {
        self.view = view
    }

    /// Keeps the home as it was, because it is gone.
    func freeze(_ last: Home, name: String?) {
        lastName.withLock { $0 = name }
        view.freeze(last)
    }

    /// Who hears of changes; held weakly.
    /// - Since: iOS 8.0
    public var delegate: (any HMHomeDelegate)? {
        get { delegateReference.delegate }
        set { delegateReference.set { [weak newValue] in newValue } }
    }

    /// The home's identity. It never changes.
    /// - Since: iOS 9.0
    public var uniqueIdentifier: UUID { view.home }

    /// What the user calls the home.
    /// - Since: iOS 8.0
    public var name: String {
        if view.isGone { return lastName.withLock { $0 } ?? "" }
        return view.context.link.read { $0.account.home(view.home)?.name } ?? ""
    }

    /// Whether it is the user's primary home.
    /// - Since: iOS 8.0
    public var isPrimary: Bool {
        !view.isGone && view.context.link.read { $0.account.home(view.home)?.isPrimary } ?? false
    }

    /// Renames the home.
    ///
    /// Errors: ``HMError/Code/homeWithSimilarNameExists``, and those of ill-formed names.
    /// - Since: iOS 8.0
    @preconcurrency
    public func updateName(
        _ name: String,
        completionHandler completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        let home = view.home
        view.context.call(
            HubMethods.renameHome,
            Rename(home: home, id: home, name: name),
            among: .homes,
            completion: completion
        )
    }

    /// Renames the home; see the form with a completion.
    /// - Since: iOS 8.0
    public func updateName(_ name: String) async throws {
        try await completing { updateName(name, completionHandler: $0) }
    }
}
