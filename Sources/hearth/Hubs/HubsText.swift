import Foundation
import HubAPI

/// How the hubs of the homes stand, in words.
enum HubsText {
    /// Prints a table of the hubs, and what is to say about them.
    static func print(_ status: HubsStatus, at time: HubTime) {
        var table = Table()
        for hub in status.hubs {
            table.add(
                hub.name,
                hub.isOwn ? "this hub" : hub.isConnected ? "connected" : "not connected",
                hub.isLeading ? "leads" : "",
                changes(of: hub),
                String(hub.id.uuidString.prefix(8))
            )
        }
        table.print()
        for line in lines(status, at: time) { ProgramOutput.line(line) }
    }

    private static func changes(of hub: HubsStatus.Hub) -> String {
        switch hub.behind {
        case nil: ""
        case 0?: "has all changes"
        case 1?: "lacks 1 change"
        case let count?: "lacks \(count) changes"
        }
    }

    private static func lines(_ status: HubsStatus, at time: HubTime) -> [String] {
        var lines: [String] = []
        if status.hubs.count > 1 {
            let leader = status.hubs.first(where: \.isLeading)
            let since = status.since.map { " since \(time.text($0))" } ?? ""
            let silence = "No hub leads\(since), so nothing can be changed."
            lines.append(leader.map { "“\($0.name)” leads\(since)." } ?? silence)
            lines.append(relay(status.relay, at: time))
        }
        for pairing in status.pairings {
            lines.append(
                pairing.isPossible
                    ? "Only this hub controls “\(pairing.accessory)” until that is reachable."
                    : "Only this hub controls “\(pairing.accessory)”, which has no room for another pairing."
            )
        }
        for accessory in status.foreign {
            lines.append(
                "Only the other hub controls “\(accessory.accessory)” until it has given this one a pairing. It does once it "
                    + "reaches the accessory, if that has room."
            )
        }
        for accessory in status.unprepared {
            lines.append(
                "“\(accessory.accessory)” doesn't prepare writes: what an automation writes late, it carries out late."
            )
        }
        for hub in status.untold {
            lines.append(
                "“\(hub)” was removed and doesn't know it. It stops and deletes its keys as soon as it is on and reaches this "
                    + "hub. If it never will: hearth hub remove \"\(hub)\""
            )
        }
        return lines + [status.outlook]
    }

    private static func relay(_ relay: HubsStatus.Relay?, at time: HubTime) -> String {
        guard let relay else { return "No relay votes." }
        guard let problem = relay.problem else { return "The relay \(relay.relay) votes." }
        let last = relay.answered.map { " It answered last at \(time.text($0))." } ?? ""
        return "The relay \(relay.relay) doesn't vote: \(problem)\(last)"
    }
}
