import ArgumentParser
import HomeModel

/// A role that can be assigned to a user.
enum AssignableRole: String, ExpressibleByArgument, CaseIterable {
    case guest
    case administrator

    var role: Role { self == .administrator ? .administrator : .guest }
}

extension Role {
    /// What the role allows, in words; empty for an unknown role.
    var allowance: String {
        switch self {
        case .guest: "can control"
        case .administrator: "can control and edit"
        case .owner: "can do everything"
        default: ""
        }
    }
}
