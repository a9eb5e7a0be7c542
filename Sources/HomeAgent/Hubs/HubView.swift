import Foundation
import HomeModel
import HubAPI

/// A joined hub at a moment, as the agent's sessions see it.
struct HubView: Sendable {
    /// The agent's ID of the hub.
    var id: UUID
    /// The hub's name.
    var name: String
    /// How the hub can be reached.
    var standing: HubStanding
    /// What the device knows of its homes.
    var copy: CopyState
    /// Whether the hub that served was lost and the other hub of the homes is being tried.
    var isChanging = false
    /// Whether another hub keeps the same homes.
    var isOneOfTwo = false
    /// Why the hub can't be reached, if the hub itself said so, such as that the device waits to be confirmed.
    var problem: HubError?
    /// What the device knows of the hub's feed; `nil` if there is none.
    var feed: FeedReport?

    /// Whether sessions can be opened at the hub.
    var isNear: Bool { standing.state == .near && !isChanging }

    /// Whether sessions are opened through the hub's relay.
    var isRelayed: Bool { standing.isRelayed == true }

    /// The hub's homes, as people know the hub: “Villa”, or “Villa”, “Hut”; `nil` if there are none.
    var homeLabel: String? {
        let names = copy.hub.account.homes.map { "“\($0.name)”" }
        return names.isEmpty ? nil : names.joined(separator: ", ")
    }

    /// The error for what needs the hub while it is out of reach.
    var error: HubError {
        if let problem { return problem }
        guard copy.isComplete else {
            return HubError(.hubAway, "“\(name)” can't be reached, and this device hasn't seen its homes yet.")
        }
        let label = homeLabel ?? "“\(name)”"
        let now = Date()
        let asOf = HubTimeText.text(standing.asOf ?? standing.since, now: now)
        guard standing.isSilent != true else {
            return HubError(.hubAway, "\(label) wasn't heard of since \(asOf). What you see is as it was then.")
        }
        // The relay tells what has changed since the hub itself was in reach.
        guard let time = feed?.time, let contact = copy.lastContact, time > contact else {
            return HubError(.hubAway, "\(label) can't be reached since \(asOf). What you see is as it was then.")
        }
        let since = HubTimeText.text(contact, now: now)
        return HubError(.hubAway, "\(label) can't be reached since \(since). What you see is as of \(asOf).")
    }
}

/// A time as people say it.
enum HubTimeText {
    /// Returns the time of day, with the date unless it is today's.
    static func text(_ time: Date, now: Date, calendar: Calendar = .current) -> String {
        let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute], from: time)
        func number(_ value: Int?, _ width: Int) -> String {
            let text = String(value ?? 0)
            return String(repeating: "0", count: max(0, width - text.count)) + text
        }
        let clock = "\(number(parts.hour, 2)):\(number(parts.minute, 2))"
        if calendar.isDate(time, inSameDayAs: now) { return clock }
        return "\(number(parts.year, 4))-\(number(parts.month, 2))-\(number(parts.day, 2)) \(clock)"
    }
}
