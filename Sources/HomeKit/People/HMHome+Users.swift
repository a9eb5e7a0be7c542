import Foundation
import HomeModel
import HubAPI

extension HMHome {
    /// The person whose app this is.
    /// - Since: iOS 9.0
    public var currentUser: HMUser {
        let user = view.context.link.read { $0.account.user }
        return view.context.users(of: view) { _ in [user] }.first ?? HMUser(user, view)
    }

    /// The other people who have a part in the home, in the order in which they were added. ``currentUser`` is not among
    /// them.
    ///
    /// It works, though Apple has deprecated it: apps that show who is there use it.
    /// - Since: iOS 8.0
    @available(*, deprecated, message: "Let people manage who has a part in the home: manageUsers(completionHandler:).")
    public var users: [HMUser] {
        let current = view.context.link.read { $0.account.user }
        return view.context.users(of: view) { $0.users.map(\.id).filter { $0 != current } }
    }

    /// What a person may do in the home. Of somebody who has no part in it: nothing.
    /// - Since: iOS 9.0
    public func homeAccessControl(for user: HMUser) -> HMHomeAccessControl {
        user.view.home == view.home ? user.accessControl : HMHomeAccessControl(of: user.user, view)
    }

    /// Takes a person's part in the home away. Nobody can take the owner's; a guest can give up their own and no other.
    ///
    /// Errors: ``HMError/Code/userManagementFailed`` for the owner, ``HMError/Code/objectAssociatedToAnotherHome``,
    /// ``HMError/Code/objectNotAssociatedToAnyHome`` when the person has gone, ``HMError/Code/insufficientPrivileges`` for
    /// guests.
    /// - Since: iOS 8.0
    @available(*, deprecated, message: "Let people manage who has a part in the home: manageUsers(completionHandler:).")
    @preconcurrency
    public func removeUser(_ user: HMUser, completionHandler completion: @escaping @Sendable ((any Error)?) -> Void) {
        view.context.call(HubMethods.removeUser, try view.target(user.user, user.view), completion: completion)
    }

    /// Takes a person's part in the home away; see the form with a completion.
    /// - Since: iOS 8.0
    @available(*, deprecated, message: "Let people manage who has a part in the home: manageUsers().")
    public func removeUser(_ user: HMUser) async throws {
        try await completing { removeUser(user, completionHandler: $0) }
    }
}
