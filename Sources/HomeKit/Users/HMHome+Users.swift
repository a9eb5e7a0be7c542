import Foundation
import HomeModel
import HubAPI

extension HMHome {
    private static let nobody = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))

    /// The person whose app this is.
    /// - Since: iOS 9.0
    public var currentUser: HMUser {
        // The hub tells it with the home.
        let user = view.read { $0.viewer } ?? Self.nobody
        return view.context.users(of: view) { _ in [user] }.first ?? HMUser(user, view)
    }

    /// The other people who have a part in the home, in the order in which they were added. ``currentUser`` is not among
    /// them.
    ///
    /// It works, though Apple has deprecated it: apps that show who is there use it.
    /// - Since: iOS 8.0
    @available(*, deprecated, message: "Let people manage who has a part in the home: manageUsers(completionHandler:).")
    public var users: [HMUser] {
        view.context.users(of: view) { home in home.users.map(\.id).filter { $0 != home.viewer } }
    }

    /// What a person may do in the home. Of somebody who has no part in it: nothing.
    /// - Since: iOS 9.0
    public func homeAccessControl(for user: HMUser) -> HMHomeAccessControl {
        user.view.home == view.home ? user.accessControl : HMHomeAccessControl(of: user.uniqueIdentifier, view)
    }

    /// Asks whom to invite to the home, and gives that person a part in it.
    ///
    /// Where Apple's system shows a sheet, the hub asks the person whose app this is: on its page, or by
    /// “hearth questions”.
    ///
    /// Errors: ``HMError/Code/operationCancelled`` when the question is declined or nobody answers it in time;
    /// ``HMError/Code/maximumObjectLimitReached``, ``HMError/Code/insufficientPrivileges`` for guests.
    /// - Since: iOS 8.0
    @available(*, deprecated, message: "Let people manage who has a part in the home: manageUsers(completionHandler:).")
    @preconcurrency
    public func addUser(completionHandler completion: @escaping @Sendable (HMUser?, (any Error)?) -> Void) {
        let view = view
        view.context.add(HubMethods.inviteUser, HomeTarget(home: view.home), completion) { context, id in
            context.users(of: view) { $0.role(of: id) == nil ? [] : [id] }.first
        }
    }

    /// Asks whom to invite to the home; see the form with a completion.
    /// - Since: iOS 8.0
    @available(*, deprecated, message: "Let people manage who has a part in the home: manageUsers().")
    public func addUser() async throws -> HMUser {
        try await completing { addUser(completionHandler: $0) }
    }

    /// Lets the person whose app this is say who has which part in the home: invite, promote and remove people.
    ///
    /// Where Apple's system shows a sheet, the hub asks a question with a field for each person: on its page, or by
    /// “hearth questions”. What the person changes the app hears by its delegate, before the completion, as it is not the
    /// app that changes it.
    ///
    /// Errors: ``HMError/Code/operationCancelled`` when the question is declined or nobody answers it in time;
    /// ``HMError/Code/insufficientPrivileges`` for guests.
    /// - Since: iOS 9.0
    @preconcurrency
    public func manageUsers(completionHandler completion: @escaping @Sendable ((any Error)?) -> Void) {
        view.context.call(HubMethods.manageUsers, HomeTarget(home: view.home), completion: completion)
    }

    /// Lets the person whose app this is say who has which part in the home; see the form with a completion.
    /// - Since: iOS 9.0
    public func manageUsers() async throws {
        try await completing { manageUsers(completionHandler: $0) }
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
        view.context.call(
            HubMethods.removeUser,
            try view.target(user.uniqueIdentifier, user.view),
            completion: completion
        )
    }

    /// Takes a person's part in the home away; see the form with a completion.
    /// - Since: iOS 8.0
    @available(*, deprecated, message: "Let people manage who has a part in the home: manageUsers().")
    public func removeUser(_ user: HMUser) async throws {
        try await completing { removeUser(user, completionHandler: $0) }
    }
}
