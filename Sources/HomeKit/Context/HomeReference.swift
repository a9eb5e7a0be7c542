import Foundation
import HomeModel
import HubAPI
import Synchronization

/// A reference from an object to its home: the home in the hub's state or, once the object was removed, the home's last
/// state.
final class HomeReference: Sendable {
    // This is a class because the services and characteristics of an accessory share the accessory's reference.

    /// The context of the manager.
    let context: HomeKitContext
    /// The home's identity.
    let home: UUID
    private let last = Mutex<Home?>(nil)

    init(_ context: HomeKitContext, home: UUID, last: Home? = nil) {
        self.context = context
        self.home = home
        self.last.withLock { $0 = last }
    }

    /// Creates the reference of an object that an app created itself and that never belongs to a home.
    static func detached() -> HomeReference {
        let home = UUID()
        let context = HomeKitContext(link: HomeKitEnvironment.present.link())
        return HomeReference(context, home: home, last: Home(id: home))
    }

    /// Whether the object was removed from its home, or the home itself was removed.
    var isGone: Bool { last.withLock { $0 != nil } }

    /// Reads the home. Returns `nil` if it doesn't exist. `body` must not call back into a reference, a context or the
    /// link.
    func read<Result: Sendable>(_ body: (Home) -> Result?) -> Result? {
        if let last = last.withLock({ $0 }) { return body(last) }
        return context.link.read { $0.homes[home].flatMap(body) }
    }

    /// Keeps the home's last state, so that the object no longer changes. Call this with the hub's state locked.
    func freeze(_ home: Home) {
        last.withLock { $0 = $0 ?? home }
    }
}

// MARK: Parameters of calls

extension HomeReference {
    /// Throws if the object is gone.
    func check() throws(HMError) {
        if isGone { throw HMError(context.isDenied ? .homeAccessNotAuthorized : .objectNotAssociatedToAnyHome) }
    }

    /// Throws if the other object belongs to no home or to another one.
    func check(_ other: HomeReference?) throws(HMError) {
        guard let other else { throw HMError(.objectNotAssociatedToAnyHome) }
        try other.check()
        if other.home != home { throw HMError(.objectAssociatedToAnotherHome) }
    }

    /// Creates the parameters of a call about an object of this home, whose reference is `other`.
    func target<Request: ItemRequest>(_ id: UUID, _ other: HomeReference?) throws(HMError) -> InHome<Request> {
        try check(other)
        return InHome(home, Request(id))
    }

    /// Creates the parameters of a call that renames this object.
    func item(_ id: UUID) throws(HMError) -> ItemTarget {
        try check()
        return ItemTarget(home: home, id: id)
    }

    /// Returns the request that renames an object of this home.
    func rename<Request: RenameRequest>(_ id: UUID, to name: String) throws(HMError) -> InHome<Request> {
        try check()
        return InHome(home, Request(id, name: name))
    }
}
