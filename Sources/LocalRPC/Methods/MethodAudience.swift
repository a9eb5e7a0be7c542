/// The kinds of callers that can use a method.
///
/// On the hub's own socket, every caller counts as a user's program; on an app's socket, as that app. ``MethodNeed`` and
/// ``Way`` limit the callers further.
package enum MethodAudience: Sendable {
    /// Users' programs and apps. The `HomeKit` module calls these methods.
    case apps
    /// Users' programs only, not apps.
    ///
    /// These methods manage apps and a home's users, answer the questions of apps, import and export everything, have
    /// the hub connect to given addresses, or change its machine.
    case people
}
