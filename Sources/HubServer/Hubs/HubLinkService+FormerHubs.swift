import Foundation
import HomeHub
import HomeIdentity
import HubNetwork
import Logging
import Synchronization

/// The connection to a hub that was removed and hasn't been told.
struct FormerHubLink: Sendable {
    let link: HubLink
    /// Handles what happens on the connection.
    let task: Task<Void, Never>

    func stop() {
        link.stop()
        task.cancel()
    }
}

/// Tells hubs that were removed while they were off.
extension HubLinkService {
    /// Waits for the former hubs that haven't been told, or connects to them, and lets go of those that have been.
    func tellFormerHubs() {
        let former = hub.formerHubs
        let told = state.withLock { state in
            let told = state.formerLinks.filter { key, _ in !former.contains { $0.member.key == key } }
            for key in told.keys { state.formerLinks[key] = nil }
            return told.values
        }
        for link in told { link.stop() }
        for hub in former where state.withLock({ $0.formerLinks[hub.member.key] == nil }) { connect(to: hub) }
    }

    /// Lets go of all former hubs.
    func leaveFormerHubs() {
        for link in state.withLock({ Array($0.formerLinks.values) }) { link.stop() }
        state.withLock { $0.formerLinks = [:] }
    }

    private func connect(to former: FormerHub) {
        let key = former.member.key
        let (events, continuation) = AsyncStream.makeStream(of: HubLink.Event.self)
        let link: HubLink
        do {
            link = HubLink(
                to: key,
                as: try LinkIdentity(hub.identity),
                connects: former.connects,
                pauses: HubLinkLimits.formerHubPauses,
                ways: { [weak self] in self?.ways(to: key, lastAt: former.addresses) ?? [] },
                log: logger
            ) { continuation.yield($0) }
        } catch {
            return logger.error("This hub's key can't be used.", metadata: ["error": "\(error)"])
        }
        let task = Task { [hub, weak self] in
            for await event in events {
                switch event {
                case .connected:
                    if let frame = HubFrame(.introduction, former.farewell) { link.send(frame) }
                    self?.limit(link, to: key)
                case .frame(let frame):
                    // Nothing else of what it says counts.
                    if frame.kind == .introduction, former.isTold(by: frame.content) { await hub.wasTold(former) }
                    link.handled(frame)
                case .disconnected, .room: break
                }
            }
        }
        state.withLock { $0.formerLinks[key] = FormerHubLink(link: link, task: task) }
        link.begin()
    }

    /// Ends a connection on which a former hub hasn't taken soon what it was told, for a while. Somebody else may have it now.
    private nonisolated func limit(_ link: HubLink, to key: PublicKey) {
        Task { [weak self] in
            try? await Task.sleep(for: HubLinkLimits.connectTime)
            link.stop()
            try? await Task.sleep(for: HubLinkLimits.formerHubRest)
            guard self?.state.withLock({ $0.formerLinks[key]?.link === link }) == true else { return }
            link.begin()
        }
    }
}
