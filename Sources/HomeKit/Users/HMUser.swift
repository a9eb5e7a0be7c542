public import Foundation
import HomeModel

/// A user of a home.
///
/// Get users from an ``HMHome``. Properties can be read from any thread.
/// - Since: iOS 8.0
public final class HMUser: NSObject, Sendable {
    let homeReference: HomeReference
    /// The user's permissions in the home.
    let accessControl: HMHomeAccessControl

    init(_ user: UUID, _ homeReference: HomeReference) {
        self.homeReference = homeReference
        accessControl = HMHomeAccessControl(of: user, homeReference)
        uniqueIdentifier = user
    }

    /// The user's ID in this home for this app. It never changes, and reveals nothing about the user's account, other
    /// homes, or what other apps see.
    /// - Since: iOS 9.0
    public let uniqueIdentifier: UUID

    /// The user's name in the home.
    /// - Since: iOS 8.0
    public var name: String {
        homeReference.read { $0.users[id: uniqueIdentifier]?.name } ?? ""
    }
}
