public import Foundation
import HomeModel

/// A person who has a part in a home.
///
/// People come from an ``HMHome``. Properties may be read on any thread.
/// - Since: iOS 8.0
public final class HMUser: NSObject, Sendable {
    let view: HomeReference
    /// What the person may do in the home.
    let accessControl: HMHomeAccessControl

    init(_ user: UUID, _ view: HomeReference) {
        self.view = view
        accessControl = HMHomeAccessControl(of: user, view)
        uniqueIdentifier = user
    }

    /// The person's ID in this home to this app. It never changes, and says nothing about their account, other homes, or
    /// what other apps see.
    /// - Since: iOS 9.0
    public let uniqueIdentifier: UUID

    /// The name under which the person is known in the home.
    /// - Since: iOS 8.0
    public var name: String {
        view.read { $0.users[id: uniqueIdentifier]?.name } ?? ""
    }
}
