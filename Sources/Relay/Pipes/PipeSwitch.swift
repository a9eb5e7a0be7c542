import Foundation
import HomeIdentity
import RelayAPI

/// The pipes of a house: decides what each frame that comes up a stream sends down the others. It is a value without I/O.
///
/// A pipe has an end at a device's stream and one at a hub's, each with a number of that stream's own. The relay holds
/// each end to the credit that the other has given, so that what waits for a slow reader is limited.
struct PipeSwitch: Sendable {
    /// A stream, as far as pipes are concerned.
    struct Member: Hashable, Sendable {
        var stream: UUID
        /// What a device's pipes come from; `nil` for the hub.
        var origin: PipeOrigin?
        /// Whether the device may open pipes.
        var mayOpen = true
    }

    /// What a frame causes.
    enum Action: Hashable, Sendable {
        /// Send a frame down a stream.
        case send(LiveFrame, to: UUID)
    }

    private enum Side {
        case device, hub
    }

    private struct End: Hashable {
        var stream: UUID
        var number: UInt32
    }

    private struct Pipe {
        var origin: PipeOrigin
        var device: End
        var hub: End
        var isAccepted = false
        var toHub = PipeWindow()
        var toDevice = PipeWindow()
    }

    private struct Hub {
        var stream: UUID
        var key: PublicKey
        /// When each of the hub's doors closes, in milliseconds since 1970.
        var doors: [PublicKey: Int64] = [:]
    }

    private let limit: Int
    private var pipes: [Int: Pipe] = [:]
    private var ends: [End: (pipe: Int, side: Side)] = [:]
    /// The highest number of a pipe on each stream.
    private var highest: [UUID: UInt32] = [:]
    /// The hubs, of which the last one gets new pipes: the one that came last, unless it has let a pipe wait in vain.
    private var hubs: [Hub] = []
    private var lastPipe = 0

    /// - Parameter limit: The maximum number of pipes of a feed.
    init(limit: Int) {
        self.limit = limit
    }

    /// The number of pipes.
    var count: Int { pipes.count }

    // MARK: Streams

    /// Adds a hub's stream. A hub that opens another has lost the one before, and with it the pipes and the doors.
    ///
    /// - Parameter key: The hub's key, by which the two hubs of a house are told apart.
    mutating func addHub(_ stream: UUID, of key: PublicKey) -> [Action] {
        let former = hubs.first { $0.key == key }
        hubs.removeAll { $0.key == key }
        hubs.append(Hub(stream: stream, key: key))
        return former.map { endPipes(of: $0.stream, because: .lost) } ?? []
    }

    /// Removes a stream, with its pipes.
    mutating func remove(_ stream: UUID) -> [Action] {
        hubs.removeAll { $0.stream == stream }
        for pipe in pipes.values where pipe.device.stream == stream { doubt(pipe) }
        let actions = endPipes(of: stream, because: .lost)
        highest[stream] = nil
        return actions.filter { action in
            guard case .send(_, stream) = action else { return true }
            return false
        }
    }

    /// Ends the pipes of a stream that stays.
    mutating func endPipes(of stream: UUID, because end: PipeEnd) -> [Action] {
        let ended = ends.filter { $0.key.stream == stream }.map(\.value.pipe)
        return ended.sorted().flatMap { close($0, because: end, toward: [.device, .hub]) }
    }

    /// Ends all pipes.
    mutating func endAll(because end: PipeEnd) -> [Action] {
        pipes.keys.sorted().flatMap { close($0, because: end, toward: [.device, .hub]) }
    }

    /// Rings the other hub first from now on if a hub has let a pipe wait until the device gave up. Its stream may be dead,
    /// which nobody says.
    private mutating func doubt(_ pipe: Pipe) {
        guard !pipe.isAccepted, hubs.count > 1, hubs.last?.stream == pipe.hub.stream else { return }
        hubs.insert(hubs.removeLast(), at: 0)
    }

    // MARK: Doors

    /// Returns whether a key is that of an open door.
    func isDoor(_ key: PublicKey, at now: Int64) -> Bool { hubs.contains { Self.isOpen(key, of: $0, at: now) } }

    private static func isOpen(_ key: PublicKey, of hub: Hub, at now: Int64) -> Bool {
        hub.doors[key].map { now < $0 } ?? false
    }

    /// Replaces the hub's doors, which ends the pipes of those that are gone.
    private mutating func setDoors(_ frame: LiveFrame, from member: Member, at now: Int64) throws(RelayError)
        -> [Action]
    {
        guard member.origin == nil, let list = frame.doors else {
            throw .malformed("Only a hub has doors, at most \(RelayLimits.doorsPerHouse).")
        }
        // A stream that another has replaced has no say any more.
        guard let index = hubs.firstIndex(where: { $0.stream == member.stream }) else { return [] }
        var doors: [PublicKey: Int64] = [:]
        for door in list { doors[door.key] = now + 1_000 * Int64(min(door.seconds, RelayLimits.doorSeconds)) }
        hubs[index].doors = doors
        let ended = pipes.filter { entry in
            guard case .door(let key) = entry.value.origin else { return false }
            return entry.value.hub.stream == member.stream && doors[key] == nil
        }
        return ended.keys.sorted().flatMap { close($0, because: .noRight, toward: [.device, .hub]) }
    }

    // MARK: Frames

    /// Handles a frame that came up a stream.
    ///
    /// - Parameters:
    ///   - now: The time in milliseconds since 1970.
    ///   - isSpent: Whether the house has sent as much as it may in a day, so that nothing begins.
    ///   - mayBegin: Whether the rate of the feed or door allows another pipe. It is called for an allowed one only.
    /// - Throws: `malformed` if the client violates the protocol; its stream must end.
    mutating func receive(
        _ frame: LiveFrame,
        from member: Member,
        at now: Int64 = 0,
        isSpent: Bool = false,
        mayBegin: () -> Bool = { true }
    ) throws(RelayError) -> [Action] {
        switch frame.kind {
        case .open: return try open(frame, from: member, at: now, isSpent: isSpent, mayBegin: mayBegin)
        case .doors: return try setDoors(frame, from: member, at: now)
        case .accept, .data, .credit, .close: break
        // A sign of life, or the frame of a newer client.
        default: return []
        }
        guard let (id, side) = ends[End(stream: member.stream, number: frame.pipe)], let pipe = pipes[id] else {
            guard frame.pipe <= highest[member.stream, default: 0] else {
                throw .malformed("There was no pipe \(frame.pipe).")
            }
            // The pipe has ended, which the client may not know yet.
            return []
        }
        let other = side == .device ? pipe.hub : pipe.device
        func passOn(_ payload: Data) -> [Action] {
            [.send(LiveFrame(frame.kind, pipe: other.number, payload: payload), to: other.stream)]
        }
        switch frame.kind {
        case .accept:
            guard side == .hub, frame.payload.isEmpty else { throw .malformed("Only a hub accepts pipes.") }
            guard !pipe.isAccepted else { return [] }
            pipes[id]?.isAccepted = true
            return passOn(Data())
        case .data:
            guard !frame.payload.isEmpty else { return [] }
            let count = frame.payload.count
            let isWithin = side == .device ? pipes[id]?.toHub.use(count) : pipes[id]?.toDevice.use(count)
            guard isWithin == true else { throw .malformed("The data exceeds the credit of the pipe.") }
            return passOn(frame.payload)
        case .credit:
            guard let count = frame.creditCount else { throw .malformed("A credit is four bytes.") }
            // Who gives credit receives, so the other end sends.
            let isWithin = side == .device ? pipes[id]?.toDevice.add(count) : pipes[id]?.toHub.add(count)
            guard isWithin == true else { throw .malformed("The credit exceeds what was sent.") }
            return passOn(frame.payload)
        default:
            guard let end = frame.end else { throw .malformed("The reason of an end is too long.") }
            if side == .device { doubt(pipe) }
            return close(id, because: end, toward: [side == .device ? .hub : .device])
        }
    }

    private mutating func open(
        _ frame: LiveFrame,
        from member: Member,
        at now: Int64,
        isSpent: Bool,
        mayBegin: () -> Bool
    ) throws(RelayError) -> [Action] {
        guard let origin = member.origin else { throw .malformed("Only devices open pipes.") }
        guard frame.pipe > highest[member.stream, default: 0] else {
            throw .malformed("The number of a pipe is above those before it.")
        }
        highest[member.stream] = frame.pipe
        func refuse(_ end: PipeEnd) -> [Action] {
            [.send(.close(frame.pipe, because: end), to: member.stream)]
        }
        guard member.mayOpen else { return refuse(.noRight) }
        guard !isSpent else { return refuse(.quota) }
        guard var hub = hubs.last?.stream else { return refuse(.noHub) }
        var limit = limit
        if case .door(let key) = origin {
            guard let host = hubs.last(where: { Self.isOpen(key, of: $0, at: now) }) else { return refuse(.noRight) }
            (hub, limit) = (host.stream, RelayLimits.pipesPerDoor)
        }
        guard pipes.values.count(where: { $0.origin == origin }) < limit, mayBegin() else { return refuse(.tooMany) }
        let number = highest[hub, default: 0] + 1
        guard number < .max else { return refuse(.tooMany) }
        highest[hub] = number
        lastPipe += 1
        let pipe = Pipe(
            origin: origin,
            device: End(stream: member.stream, number: frame.pipe),
            hub: End(stream: hub, number: number)
        )
        pipes[lastPipe] = pipe
        ends[pipe.device] = (lastPipe, .device)
        ends[pipe.hub] = (lastPipe, .hub)
        return [.send(.open(number, of: origin), to: hub)]
    }

    private mutating func close(_ id: Int, because end: PipeEnd, toward sides: [Side]) -> [Action] {
        guard let pipe = pipes.removeValue(forKey: id) else { return [] }
        ends[pipe.device] = nil
        ends[pipe.hub] = nil
        return sides.map { side in
            let told = side == .device ? pipe.device : pipe.hub
            return .send(.close(told.number, because: end), to: told.stream)
        }
    }
}
