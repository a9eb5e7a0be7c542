/// Who may call a method, as far as the kind of caller goes: at the hub's own socket everybody is taken for a person's program,
/// at an app's socket for that app. What a caller may do in a home is a matter of roles.
package enum MethodAudience: Sendable {
    /// Apps too: what the `HomeKit` module calls for them.
    case apps
    /// People only, by programs that are no apps: to rule over apps and over who has a part in a home, to answer what apps
    /// ask, to take everything out of the hub or into it, and what has the hub connect to addresses or tell them.
    case people
}
