import Foundation
import HubAPI

/// A command that was sent to a hub, and whose reply was lost with the connection or hasn't come in time. It isn't known
/// whether the hub has carried it out.
struct LostCommand: Sendable {
    /// The request, which has a key.
    var request: HubRequest
    /// The agent's ID of the hub.
    var hub: UUID
    /// The introduction of the client that has sent it. A hub knows a request again only from the same app.
    var hello: Hello
    /// The hub's run in which it was sent. Another one, of this hub or the other one of two, doesn't
    /// remember what was carried out before.
    var run: UUID?
    /// When it was sent, by the device's running clock.
    var sent: Int64
    /// Whether it was sent through the relay. Only then does it have a time after which the hub doesn't begin it, so that to
    /// ask again isn't to do it late.
    var isRelayed: Bool
    /// Whether the client was told that the outcome isn't known.
    var isTold = false

    /// The error for the client.
    var error: HubError { Self.error(isAskedAgain: isRelayed) }

    /// Returns the error for the client of a command.
    static func error(isAskedAgain: Bool) -> HubError {
        let next =
            isAskedAgain ? "This device asks the hub again as soon as it can be reached." : "Look, then try again."
        return HubError(.outcomeUnknown, "It is not known whether it was done: the hub's answer didn't come. \(next)")
    }
}
