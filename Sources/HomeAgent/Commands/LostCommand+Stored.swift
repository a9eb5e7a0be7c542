import Foundation
import HubAPI

extension LostCommand {
    /// A command as it is stored, for the agent's next run.
    struct Stored: Hashable, Sendable, Codable {
        var method: String
        var parameters: Data
        var key: UUID
        var hub: UUID
        var hello: Hello
        var run: UUID?
        /// When it was sent, by the system's time: running clocks begin anew with the machine.
        var time: Date
        var isRelayed: Bool
        var isTold: Bool
    }

    /// The form in which it is stored; `nil` if it is too large to be asked about after a restart.
    ///
    /// - Parameters:
    ///   - time: The system's time.
    ///   - now: The device's running clock.
    func stored(at time: Date, _ now: Int64) -> Stored? {
        guard let key = request.key, request.parameters.count <= AgentLimits.lostCommandBytes else { return nil }
        return Stored(
            method: request.method,
            parameters: request.parameters,
            key: key,
            hub: hub,
            hello: hello,
            run: run,
            time: time.addingTimeInterval(-TimeInterval(max(0, now - sent)) / 1_000),
            isRelayed: isRelayed,
            isTold: isTold
        )
    }

    /// Creates the command that was stored.
    init(_ stored: Stored, at time: Date, _ now: Int64) {
        let ago = max(0, time.timeIntervalSince(stored.time))
        self.init(
            request: HubRequest(id: 0, method: stored.method, parameters: stored.parameters, key: stored.key),
            hub: stored.hub,
            hello: stored.hello,
            run: stored.run,
            sent: now - Int64(min(ago, 1e9) * 1_000),
            isRelayed: stored.isRelayed,
            isTold: stored.isTold
        )
    }
}
