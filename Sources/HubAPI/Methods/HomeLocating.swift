package import Foundation

/// Parameters that name the home that they are about, so that the hub can check the caller's role there.
package protocol HomeLocating {
    /// The home; `nil` if it isn't given.
    var locatedHome: UUID? { get }
}

extension InHome: HomeLocating {
    /// The home.
    package var locatedHome: UUID? { home }
}

extension HomeTarget: HomeLocating {
    /// The home.
    package var locatedHome: UUID? { home }
}

extension ItemTarget: HomeLocating {
    /// The home.
    package var locatedHome: UUID? { home }
}

extension AddHomeUser: HomeLocating {
    /// The home.
    package var locatedHome: UUID? { home }
}

extension CreateInvitation: HomeLocating {
    /// The home of the user.
    package var locatedHome: UUID? { user.home }
}

extension AddAccessory: HomeLocating {
    /// The home.
    package var locatedHome: UUID? { home }
}

extension ImportAccessory: HomeLocating {
    /// The home.
    package var locatedHome: UUID? { home }
}
