import Foundation
import HomeHub
import HubAPI
import Synchronization
import WebServer

/// The logical connections over HTTP, within the limits per device.
final class EventStreamRegistry: Sendable {
    // This is a class because all connections share it.

    private struct Entry {
        var stream: EventStream
        /// The order in which streams were attached.
        var attached = 0
        /// The ID of the stream that is open over HTTP/1.1.
        var isLimited = false
        /// Ends the connection once it had no stream for a while.
        var expiry: Task<Void, Never>?
    }

    private struct State {
        var entries: [UUID: Entry] = [:]
        var count = 0
        var isStopped = false
    }

    /// Passes the hub's events to the connections.
    let dispatcher = EventDispatcher()
    private let limits: HTTPLimits
    private let clock: any Clock<Duration>
    private let state = Mutex(State())

    init(limits: HTTPLimits, clock: any Clock<Duration>) {
        self.limits = limits
        self.clock = clock
    }

    /// The logical connections.
    var all: [EventStream] { state.withLock { $0.entries.values.map(\.stream) } }

    /// Returns an open connection of a device.
    ///
    /// - Throws: ``HubAPI/HubError/Code/streamEnded`` if there is none.
    func stream(_ id: UUID, of device: UUID) throws(HubError) -> EventStream {
        let stream = state.withLock { $0.entries[id]?.stream }
        guard let stream, stream.authority.device == device, stream.end == nil else { throw EventStream.over }
        return stream
    }

    /// Adds a connection. The device's oldest ones that nobody reads make room.
    ///
    /// - Throws: ``HubAPI/HubError/Code/tooManyRequests`` if there is no room.
    func add(_ stream: EventStream) throws(HubError) {
        let (removed, isAdded) = state.withLock { state -> ([EventStream], Bool) in
            for (id, entry) in state.entries where entry.stream.end != nil {
                entry.expiry?.cancel()
                state.entries[id] = nil
            }
            guard !state.isStopped else { return ([], false) }
            let own = state.entries.values.filter { $0.stream.authority.device == stream.authority.device }
            let excess = own.count - limits.logicalStreamsPerDevice + 1
            let removed = own.filter { !$0.stream.isAttached }.sorted { $0.attached < $1.attached }.prefix(
                max(0, excess)
            )
            for entry in removed {
                entry.expiry?.cancel()
                state.entries[entry.stream.id] = nil
            }
            guard removed.count >= excess, state.entries.count < limits.logicalStreams else {
                return (removed.map(\.stream), false)
            }
            state.entries[stream.id] = Entry(stream: stream)
            return (removed.map(\.stream), true)
        }
        for stream in removed { stream.close() }
        if !isAdded {
            throw HubError(.tooManyRequests, "There are too many open connections. Close other pages of the home.")
        }
    }

    /// Begins to send a connection's events on a stream. Over HTTP/1.1, the oldest stream beyond the limit of the device
    /// ends.
    func attach(_ stream: EventStream, _ reader: UUID, to connection: RequestConnection, run: String, after: Int?) {
        let isLimited = !connection.isMultiplexed
        let oldest = state.withLock { state -> EventStream? in
            state.count += 1
            state.entries[stream.id]?.expiry?.cancel()
            state.entries[stream.id]?.expiry = nil
            state.entries[stream.id]?.attached = state.count
            state.entries[stream.id]?.isLimited = isLimited
            stream.attach(reader, connection.channel, run: run, after: after)
            let own = state.entries.values.filter {
                $0.isLimited && $0.stream.isAttached && $0.stream.authority.device == stream.authority.device
            }
            guard isLimited, own.count > limits.streamsPerDevice else { return nil }
            return own.min { $0.attached < $1.attached }?.stream
        }
        oldest?.supersede()
    }

    /// Records that a stream is over. The connection ends unless another stream continues it in time.
    func detach(_ stream: EventStream, _ reader: UUID) {
        state.withLock { state in
            guard stream.detach(reader) else { return }
            guard stream.end == nil, state.entries[stream.id] != nil else {
                state.entries[stream.id] = nil
                return
            }
            let attached = state.entries[stream.id]?.attached
            state.entries[stream.id]?.expiry?.cancel()
            state.entries[stream.id]?.expiry = Task { [clock, limits] in
                do {
                    try await clock.sleep(for: limits.streamLifetime)
                } catch {
                    return
                }
                self.expire(stream, attached)
            }
        }
    }

    private func expire(_ stream: EventStream, _ attached: Int?) {
        let isExpired = state.withLock { state in
            guard state.entries[stream.id]?.attached == attached, !stream.isAttached else { return false }
            state.entries[stream.id] = nil
            return true
        }
        if isExpired { stream.close() }
    }

    /// Ends all connections and rejects new ones.
    func stop(_ error: HubError) {
        let entries = state.withLock { state in
            state.isStopped = true
            defer { state.entries = [:] }
            return state.entries.values
        }
        for entry in entries {
            entry.expiry?.cancel()
            entry.stream.close(error)
        }
    }
}
