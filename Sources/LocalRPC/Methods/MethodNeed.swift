/// The part in the homes that a method requires of its caller.
///
/// If the parameters name a home, the caller's role in that home counts; otherwise the highest of the caller's roles.
package enum MethodNeed: String, Sendable, CaseIterable {
    /// Nothing: the method concerns only the caller's own connection, settings and devices.
    case oneself
    /// A part in the home that the parameters name. The handler checks it, because to anyone else the home doesn't exist.
    case visitor
    /// A role that can change the home's layout.
    case editor
    /// The home's owner.
    case owner
    /// A user who may have homes on this hub: the hub's own user, or one who can change the layout of a home.
    case resident
    /// The hub's own user.
    case hubOwner
}
