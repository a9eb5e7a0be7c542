import Foundation
import HubAPI
import Synchronization

/// The sessions of assistants over HTTP, within the limits per device.
final class AssistantSessionRegistry: Sendable {
    // This is a class because all connections share it.

    private struct Entry {
        var session: AssistantSession
        /// The order of the sessions' last requests.
        var lastUse: Int
        /// The number of heartbeats since the last request.
        var beats = 0
    }

    private struct State {
        var entries: [UUID: Entry] = [:]
        var uses = 0
        /// The open requests without a session.
        var alone: [UUID: AssistantSession] = [:]
        var isStopped = false
    }

    private let limits: HTTPLimits
    private let state = Mutex(State())

    init(limits: HTTPLimits) {
        self.limits = limits
    }

    /// The number of sessions.
    var count: Int { state.withLock { $0.entries.count } }
    /// The devices that have sessions or open requests.
    var devices: Set<UUID> {
        state.withLock { state in Set(state.entries.values.map(\.session.device) + state.alone.values.map(\.device)) }
    }

    /// Adds a session. The device's session used least recently makes room if it has no open request.
    ///
    /// - Throws: ``HubAPI/HubError/Code/tooManyRequests`` if there is no room.
    func add(_ session: AssistantSession) throws(HubError) {
        let (removed, isAdded) = state.withLock { state -> (AssistantSession?, Bool) in
            guard !state.isStopped else { return (nil, false) }
            let own = state.entries.values.filter { $0.session.device == session.device }
            var removed: AssistantSession?
            if own.count >= limits.assistantSessionsPerDevice {
                removed = own.filter { !$0.session.isActive }.min { $0.lastUse < $1.lastUse }?.session
                guard let removed else { return (nil, false) }
                state.entries[removed.id] = nil
            }
            guard state.entries.count < limits.assistantSessions else { return (removed, false) }
            state.uses += 1
            state.entries[session.id] = Entry(session: session, lastUse: state.uses)
            return (removed, true)
        }
        removed?.close()
        if !isAdded { throw HubError(.tooManyRequests, "There are too many sessions of assistants. End one.") }
    }

    /// Returns a device's session, which counts as its use.
    func session(_ id: UUID, of device: UUID) -> AssistantSession? {
        state.withLock { state in
            guard let session = state.entries[id]?.session, session.device == device else { return nil }
            state.uses += 1
            state.entries[id]?.lastUse = state.uses
            state.entries[id]?.beats = 0
            return session
        }
    }

    /// Ends a device's session. Returns whether there was one.
    func remove(_ id: UUID, of device: UUID) -> Bool {
        let session = state.withLock { state -> AssistantSession? in
            guard state.entries[id]?.session.device == device else { return nil }
            return state.entries.removeValue(forKey: id)?.session
        }
        session?.close()
        return session != nil
    }

    /// Ends everything of a device.
    func remove(of device: UUID) {
        end {
            $0.session.device == device
        } alone: {
            $0.device == device
        }
    }

    // MARK: Requests without a session

    /// Counts a request that has a session of its own.
    ///
    /// - Throws: ``HubAPI/HubError/Code/tooManyRequests`` if the device has too many.
    func begin(_ session: AssistantSession) throws(HubError) {
        let isCounted = state.withLock { state in
            let own = state.alone.values.count { $0.device == session.device }
            guard !state.isStopped, own < limits.assistantRequestsPerDevice else { return false }
            state.alone[session.id] = session
            return true
        }
        if !isCounted { throw HubError(.tooManyRequests, "There are too many open requests of assistants.") }
    }

    /// Ends the session of a request.
    func end(_ session: AssistantSession) {
        state.withLock { $0.alone[session.id] = nil }
        session.close()
    }

    // MARK: Time

    /// Records that the time between two heartbeats has passed. Sessions without requests end after their lifetime.
    func beat() {
        end { entry in
            entry.beats += 1
            return limits.heartbeat * entry.beats > limits.assistantLifetime && !entry.session.isActive
        } alone: { _ in
            false
        }
    }

    /// Ends everything and rejects new sessions.
    func stop() {
        state.withLock { $0.isStopped = true }
        end { _ in
            true
        } alone: { _ in
            true
        }
    }

    /// Ends the sessions that a closure chooses. A request without a session is removed by whoever waits for it.
    private func end(_ isOver: (inout Entry) -> Bool, alone isAloneOver: (AssistantSession) -> Bool) {
        let sessions = state.withLock { state in
            var over = state.alone.values.filter(isAloneOver)
            for id in state.entries.keys {
                guard var entry = state.entries[id] else { continue }
                let isRemoved = isOver(&entry)
                state.entries[id] = isRemoved ? nil : entry
                if isRemoved { over.append(entry.session) }
            }
            return over
        }
        for session in sessions { session.close() }
    }
}
