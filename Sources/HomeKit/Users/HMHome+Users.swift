import Foundation
import HomeModel
import HubAPI

extension HMHome {
    private static let unknownUser = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))

    /// The app's user.
    /// - Since: iOS 9.0
    public var currentUser: HMUser {
        // The hub sends it with the home.
        let user = homeReference.read { $0.viewer } ?? Self.unknownUser
        return homeReference.context.users(of: homeReference) { _ in [user] }.first ?? HMUser(user, homeReference)
    }

    /// The other users of the home, in the order in which they were added, without ``currentUser``.
    ///
    /// It works although Apple has deprecated it, because apps still use it.
    /// - Since: iOS 8.0
    @available(*, deprecated, message: "Let the user manage the home's users: manageUsers(completionHandler:).")
    public var users: [HMUser] {
        homeReference.context.users(of: homeReference) { home in home.users.map(\.id).filter { $0 != home.viewer } }
    }

    /// Returns a user's permissions in the home. A user who isn't a member of it has none.
    /// - Since: iOS 9.0
    public func homeAccessControl(for user: HMUser) -> HMHomeAccessControl {
        user.homeReference.home == homeReference.home
            ? user.accessControl : HMHomeAccessControl(of: user.uniqueIdentifier, homeReference)
    }

    /// Asks the app's user whom to invite, and adds that user to the home.
    ///
    /// Where Apple's system shows a sheet, the hub asks a question, on its web page or in “hearth questions”.
    ///
    /// Errors: ``HMError/Code/operationCancelled`` if the question is declined or not answered in time;
    /// ``HMError/Code/maximumObjectLimitReached``, ``HMError/Code/insufficientPrivileges`` for guests.
    /// - Since: iOS 8.0
    @available(*, deprecated, message: "Let the user manage the home's users: manageUsers(completionHandler:).")
    @preconcurrency
    public func addUser(completionHandler completion: @escaping @Sendable (HMUser?, (any Error)?) -> Void) {
        let homeReference = homeReference
        let parameters = HomeTarget(home: homeReference.home)
        homeReference.context.add(HubMethods.inviteUser, parameters, completion) { context, id in
            context.users(of: homeReference) { $0.role(of: id) == nil ? [] : [id] }.first
        }
    }

    /// Asks whom to invite and adds that user to the home; see the completion-handler form.
    /// - Since: iOS 8.0
    @available(*, deprecated, message: "Let the user manage the home's users: manageUsers().")
    public func addUser() async throws -> HMUser {
        try await completing { addUser(completionHandler: $0) }
    }

    /// Lets the app's user invite, promote and remove users of the home.
    ///
    /// Where Apple's system shows a sheet, the hub asks a question with a field for each user, on its web page or in
    /// “hearth questions”. Since the user makes the changes and not the app, the app's delegate is notified of them,
    /// before the completion handler is called.
    ///
    /// Errors: ``HMError/Code/operationCancelled`` if the question is declined or not answered in time;
    /// ``HMError/Code/insufficientPrivileges`` for guests.
    /// - Since: iOS 9.0
    @preconcurrency
    public func manageUsers(completionHandler completion: @escaping @Sendable ((any Error)?) -> Void) {
        homeReference.context.call(HubMethods.manageUsers, HomeTarget(home: homeReference.home), completion: completion)
    }

    /// Lets the app's user invite, promote and remove users; see the completion-handler form.
    /// - Since: iOS 9.0
    public func manageUsers() async throws {
        try await completing { manageUsers(completionHandler: $0) }
    }

    /// Removes a user from the home. The owner can't be removed. A guest can remove only themselves.
    ///
    /// Errors: ``HMError/Code/userManagementFailed`` for the owner, ``HMError/Code/objectAssociatedToAnotherHome``,
    /// ``HMError/Code/objectNotAssociatedToAnyHome`` if the user is already gone,
    /// ``HMError/Code/insufficientPrivileges`` for guests.
    /// - Since: iOS 8.0
    @available(*, deprecated, message: "Let the user manage the home's users: manageUsers(completionHandler:).")
    @preconcurrency
    public func removeUser(_ user: HMUser, completionHandler completion: @escaping @Sendable ((any Error)?) -> Void) {
        homeReference.context.call(
            HubMethods.removeUser,
            try homeReference.target(user.uniqueIdentifier, user.homeReference),
            completion: completion
        )
    }

    /// Removes a user from the home; see the completion-handler form.
    /// - Since: iOS 8.0
    @available(*, deprecated, message: "Let the user manage the home's users: manageUsers().")
    public func removeUser(_ user: HMUser) async throws {
        try await completing { removeUser(user, completionHandler: $0) }
    }
}
