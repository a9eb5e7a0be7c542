/// The kinds of callers that can use a method.
///
/// At the hub's own socket every caller counts as a user's program, at an app's socket as that app. Roles decide what a
/// caller can do in a home.
package enum MethodAudience: Sendable {
    /// Apps too: the methods that the `HomeKit` module calls for them.
    case apps
    /// Only users, through programs that are not apps.
    ///
    /// These methods manage apps and a home's users, answer the questions of apps, import and export everything, or have
    /// the hub connect to given addresses.
    case people
}
