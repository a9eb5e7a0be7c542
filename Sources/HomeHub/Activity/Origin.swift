import HomeModel

/// Where a write or a change comes from: what made it happen, and who asked for it.
///
/// It is made where a request enters the hub, or where the hub itself decides something, and is passed on unchanged.
struct Origin: Hashable, Sendable {
    /// What made it happen.
    var cause: Cause
    /// Who asked; nil if no client did.
    var caller: Caller?

    /// What an accessory reports of itself: it was used by hand, by another controller or by its own rules.
    static let accessory = Origin(cause: .accessory, caller: nil)
}
