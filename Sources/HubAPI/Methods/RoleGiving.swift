package import HomeModel

/// Parameters that give somebody a role, which depends on where the caller is.
package protocol RoleGiving {
    /// The role.
    var givenRole: Role { get }
}

extension AddHomeUser: RoleGiving {
    /// The role of the added user.
    package var givenRole: Role { role }
}

extension InHome: RoleGiving where Request == SetRole {
    /// The new role.
    package var givenRole: Role { request.role }
}
