import Foundation
import HomeModel

/// What happens to the hubs that keep the homes.
struct HubActivity: Sendable {
    /// What happened.
    enum Event: Sendable {
        /// A second hub keeps the homes too.
        case joined(hub: String)
        /// A hub has left the homes to the other one.
        case left(hub: String)
        /// A hub was removed.
        case removed(hub: String)
        /// This hub goes on alone, without knowing what the other one has done.
        case alone(former: String)
        /// A hub leads.
        case leads(hub: String)
        /// A hub leads because the one that led can't be reached.
        case tookOver(hub: String, former: String)
        /// No hub leads, as far as this one knows.
        case silent
    }

    /// What happened.
    var event: Event
    /// The hub's time.
    var time: Date
    /// The cause, and the caller who requested it.
    var origin = Origin(cause: .hub, caller: nil)
}
