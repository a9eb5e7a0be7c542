import HomeModel

/// The origin of a write or a change: its cause and its caller.
///
/// An origin is created where a request enters the hub, or where the hub itself decides something, and is passed on
/// unchanged.
struct Origin: Hashable, Sendable {
    /// The cause of the write or change.
    var cause: Cause
    /// The client that requested it; `nil` if none did.
    var caller: Caller?

    /// The origin of what an accessory reports: someone used it by hand, or another controller or its own rules changed
    /// it.
    static let accessory = Origin(cause: .accessory, caller: nil)
}
