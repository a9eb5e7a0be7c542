import Foundation
import HomeModel

/// What a person may do in a home.
///
/// It comes from ``HMHome/homeAccessControl(for:)``, and follows the person's role. Properties may be read on any thread.
/// - Since: iOS 9.0
public final class HMHomeAccessControl: HMAccessControl, @unchecked Sendable {
    // @unchecked: restates what the superclass is; all that it has is constant and Sendable.

    private let user: UUID
    private let view: HomeReference

    init(of user: UUID, _ view: HomeReference) {
        self.user = user
        self.view = view
    }

    /// Whether the person may change the home's layout and its people: true of the owner and of administrators, false of
    /// guests and of those who have no part in the home.
    /// - Since: iOS 9.0
    public var isAdministrator: Bool {
        !view.isGone && view.read { $0.role(of: user)?.canEditLayout } ?? false
    }
}
