/// The kinds of callers that can use a method.
///
/// On the hub's own socket, every caller counts as a user's program; on an app's socket, as that app. A caller's rights in
/// a home depend on the user's role.
package enum MethodAudience: Sendable {
    /// Users' programs and apps. The `HomeKit` module calls these methods.
    case apps
    /// Users' programs only, not apps.
    ///
    /// These methods manage apps and a home's users, answer the questions of apps, import and export everything, or have
    /// the hub connect to given addresses.
    case people
    /// Users' programs on the hub's own machine only, not other devices.
    ///
    /// These methods change the machine: they open sockets on it, or move its clock.
    case localPeople
}
