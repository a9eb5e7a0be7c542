import Foundation
import HomeModel
import HubAPI
import Synchronization

/// Where an object finds what it shows: its home as the hub tells it, or, once the object is gone from the home, the home
/// as it last was.
final class HomeReference: Sendable {
    // A class, because the services and characteristics of an accessory share the accessory's view.

    /// The manager's objects.
    let context: HomeKitContext
    /// The home's identity.
    let home: UUID
    private let last = Mutex<Home?>(nil)

    init(_ context: HomeKitContext, home: UUID, last: Home? = nil) {
        self.context = context
        self.home = home
        self.last.withLock { $0 = last }
    }

    /// Makes the view of an object that an app has made itself: in no home, and never in one.
    static func ofNoHome() -> HomeReference {
        let home = UUID()
        let context = HomeKitContext(link: HomeKitEnvironment.present.link())
        return HomeReference(context, home: home, last: Home(id: home))
    }

    /// Whether the object is gone from the home, or the home itself.
    var isGone: Bool { last.withLock { $0 != nil } }

    /// Reads the home; nil when it is not known. `body` must not call back into a view, a context or the link.
    func read<Result: Sendable>(_ body: (Home) -> Result?) -> Result? {
        if let last = last.withLock({ $0 }) { return body(last) }
        return context.link.read { $0.homes[home].flatMap(body) }
    }

    /// Keeps the home as it last was: what the object shows changes no more. Call it with the hub's state locked.
    func freeze(_ home: Home) {
        last.withLock { $0 = $0 ?? home }
    }
}

// MARK: What calls need

extension HomeReference {
    /// Refuses a call about an object that is gone.
    func check() throws(HMError) {
        if isGone { throw HMError(context.isDenied ? .homeAccessNotAuthorized : .objectNotAssociatedToAnyHome) }
    }

    /// Refuses a call that names an object of no home or of another one.
    func check(_ other: HomeReference?) throws(HMError) {
        guard let other else { throw HMError(.objectNotAssociatedToAnyHome) }
        try other.check()
        if other.home != home { throw HMError(.objectAssociatedToAnotherHome) }
    }

    /// The call that removes or shows something of this home that has the view `other`.
    func target(_ id: UUID, _ other: HomeReference?) throws(HMError) -> Target {
        try check(other)
        return Target(home: home, id: id)
    }

    /// The call that renames the object whose view this is.
    func rename(_ id: UUID, to name: String) throws(HMError) -> Rename {
        try check()
        return Rename(home: home, id: id, name: name)
    }
}
