import Consensus
import Foundation
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
    /// The activity that caused it, such as a run of an action set; `nil` if none did.
    var parent: UUID?
    /// When what was requested must not be done any more; `nil` if there is no such time.
    var expiry: RequestExpiry?
    /// Until when an automation's writes may go out, if this hub leads two; `nil` for others.
    var fence: WriteFence?

    /// The origin of a change that an accessory reports: a person operated the accessory, or another controller or its own
    /// automation changed it.
    static let accessory = Origin(cause: .accessory, caller: nil)
}
