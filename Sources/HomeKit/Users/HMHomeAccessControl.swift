import Foundation
import HomeModel

/// A user's permissions in a home.
///
/// Get it from ``HMHome/homeAccessControl(for:)``. It follows changes of the user's role. Properties can be read from
/// any thread.
/// - Since: iOS 9.0
public final class HMHomeAccessControl: HMAccessControl, @unchecked Sendable {
    // @unchecked restates the superclass's conformance. All stored properties are immutable and Sendable.

    private let user: UUID
    private let homeReference: HomeReference

    init(of user: UUID, _ homeReference: HomeReference) {
        self.user = user
        self.homeReference = homeReference
    }

    /// Whether the user may change the home's layout and its users: `true` for the owner and for administrators,
    /// `false` for guests and for users who aren't members of the home.
    /// - Since: iOS 9.0
    public var isAdministrator: Bool {
        !homeReference.isGone && homeReference.read { $0.role(of: user)?.canEditLayout } ?? false
    }
}
