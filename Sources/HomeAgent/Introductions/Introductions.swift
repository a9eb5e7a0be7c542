import Foundation
import HomeIdentity
import HomeModel
import HubAPI

/// Takes a person's devices along to all hubs at which the person is known, so that a device is added once.
///
/// An agent introduces the hubs that it has joined to the person's other devices. Each of these makes a key for the hub and
/// asks to be vouched for; the agent vouches. The notes go over a hub that both have joined, and at which the person owns a
/// home: others, where the person is a guest, could add devices of their own to the person's home otherwise.
///
/// This is a value without I/O. ``Agent`` runs the actions.
struct Introductions: Sendable {
    /// Another device, by the hub over which it is reached.
    struct Peer: Hashable, Sendable {
        /// The agent's ID of the hub.
        var hub: UUID
        /// The device's ID at the hub.
        var device: UUID
    }

    /// An introduction that is done, for good.
    struct Done: Hashable, Sendable, Codable {
        /// The agent's ID of the hub over which the device is reached.
        var way: UUID
        /// The device's ID there.
        var device: UUID
        /// The agent's ID of the hub that the device was introduced to.
        var hub: UUID
    }

    /// A joined hub as an introduction sees it.
    struct Hub: Sendable {
        /// The agent's ID of the hub.
        var id: UUID
        /// What other devices are told of the hub.
        var card: SealedNote.Hub
        /// Whether the hub is in reach and has let this device in.
        var isNear: Bool
        /// Whether the person owns a home there.
        var isOwn: Bool
        /// This device's public key for the hub, if the hub hasn't let the device in yet; otherwise `nil`.
        var waitingKey: Data?
        /// The person's other devices with agents, by ID, with their names.
        var devices: [UUID: String]
    }

    /// What to do next.
    enum Action: Hashable, Sendable {
        /// Send a note to a device.
        case send(DeviceNote, Peer)
        /// Vouch for a device at a hub, and then call ``vouched(for:at:_:_:)``.
        case vouch(Peer, hub: UUID, VouchForDevice)
        /// Make a key for a hub that this device hasn't joined, and then call ``prepared(_:for:key:)``.
        case prepare(SealedNote.Hub, Peer)
        /// Forget a hub that hasn't let this device in, and tell the person why.
        case giveUp(hub: UUID, reason: String)
        /// Try to reach a hub now.
        case wake(hub: UUID)
        /// Store the introductions that are done.
        case store
    }

    private let box = NoteBox()
    /// The boxes of devices that have said so.
    private var boxes: [Peer: Data] = [:]
    /// The hubs that were introduced to devices, while the agent runs.
    private var offered: Set<Done> = []
    /// The introductions that are done, in their order.
    private(set) var done: [Done]

    init(done: [Done]) {
        self.done = done
    }

    // MARK: Events

    /// Tells the person's other devices at a hub that this one is there.
    func arrived(at id: UUID, _ hubs: [Hub]) -> [Action] {
        guard let way = hubs.first(where: { $0.id == id }), way.isNear, way.isOwn else { return [] }
        return way.devices.keys.map { .send(.present(box: box.publicKey), Peer(hub: id, device: $0)) }
    }

    /// Asks the devices to which this one has hubs to introduce, because the devices or the hubs have changed, or time has
    /// passed.
    ///
    /// - Parameter way: The hub over which devices are asked; `nil` for all hubs.
    func pending(_ hubs: [Hub], over way: UUID? = nil) -> [Action] {
        hubs.filter { $0.isNear && $0.isOwn && (way == nil || $0.id == way) }.flatMap { asks($0, hubs) }
    }

    private func asks(_ way: Hub, _ hubs: [Hub]) -> [Action] {
        way.devices.keys.map { Peer(hub: way.id, device: $0) }
            .filter { !missing(for: $0, hubs).isEmpty }
            .map { .send(.ask, $0) }
    }

    /// The hubs in reach that a device wasn't introduced to.
    private func missing(for peer: Peer, _ hubs: [Hub]) -> [Hub] {
        hubs.filter { hub in
            hub.id != peer.hub && hub.isNear
                && !done.contains(Done(way: peer.hub, device: peer.device, hub: hub.id))
        }
    }

    /// Handles a message from a device.
    mutating func received(_ body: Data, from peer: Peer, _ hubs: [Hub]) -> [Action] {
        guard let way = hubs.first(where: { $0.id == peer.hub }), way.isOwn, way.devices[peer.device] != nil,
            let note = try? JSONDecoder().decode(DeviceNote.self, from: body)
        else { return [] }
        switch note {
        case .ask:
            return [.send(.present(box: box.publicKey), peer)]
        case .present(let other):
            boxes[peer] = other
            return missing(for: peer, hubs).compactMap { hub in
                offered.insert(Done(way: peer.hub, device: peer.device, hub: hub.id))
                return sealed(.hub(hub.card, box: box.publicKey), peer)
            }
        case .sealed(let key, let text):
            guard let note = box.open(key: key, text: text) else { return [] }
            return opened(note, from: peer, way, hubs)
        }
    }

    private mutating func opened(_ note: SealedNote, from peer: Peer, _ way: Hub, _ hubs: [Hub]) -> [Action] {
        switch note {
        case .hub(let card, let other):
            boxes[peer] = other
            return introduced(card, by: peer, hubs)
        case .request(let hub, let key):
            guard let hub = hubs.first(where: { $0.card.key == hub }), hub.isNear,
                offered.contains(Done(way: peer.hub, device: peer.device, hub: hub.id))
            else { return [] }
            let name = way.devices[peer.device] ?? ""
            let kind = AccountDeviceRecord.Kind.agent.rawValue
            return [.vouch(peer, hub: hub.id, VouchForDevice(name: name, kind: kind, key: key))]
        case .known(let hub):
            guard let hub = hubs.first(where: { $0.card.key == hub }) else { return [] }
            return finish(Done(way: peer.hub, device: peer.device, hub: hub.id))
        case .result(let key, let problem):
            // Only a hub that waits can come to nothing.
            guard let hub = hubs.first(where: { $0.card.key == key }), hub.waitingKey != nil else { return [] }
            return [problem.map { .giveUp(hub: hub.id, reason: $0) } ?? .wake(hub: hub.id)]
        }
    }

    private func introduced(_ card: SealedNote.Hub, by peer: Peer, _ hubs: [Hub]) -> [Action] {
        guard let hub = hubs.first(where: { $0.card.key == card.key }) else {
            guard card.isValid, hubs.count < AgentLimits.hubs else { return [] }
            return [.prepare(card, peer)]
        }
        // The device that asked first may have gone before it could vouch.
        let answer = hub.waitingKey.map { SealedNote.request(hub: card.key, key: $0) } ?? .known(hub: card.key)
        return sealed(answer, peer).map { [$0] } ?? []
    }

    // MARK: Results

    /// Handles that this device has a key for a hub, or `nil` if it can't be stored.
    func prepared(_ hub: SealedNote.Hub, for peer: Peer, key: Data?) -> [Action] {
        guard let key else { return [] }
        return sealed(.request(hub: hub.key, key: key), peer).map { [$0] } ?? []
    }

    /// Handles the hub's answer to a vouching.
    mutating func vouched(for peer: Peer, at hub: UUID, key: String, _ error: HubError?) -> [Action] {
        let isThere = error == nil || error?.code == Self.alreadyAdded
        // It is tried again.
        if let error, Self.passing.contains(error.code) { return [] }
        let result = sealed(.result(hub: key, problem: isThere ? nil : error?.reason), peer)
        return finish(Done(way: peer.hub, device: peer.device, hub: hub)) + [result].compactMap(\.self)
    }

    private static let alreadyAdded = HubError(HomeError(.alreadyAdded, "")).code
    /// The errors after which a vouching is tried again.
    private static let passing: [HubError.Code] = [
        .connectionLost, .noHub, .hubAway, .timedOut, .notAllowedNow, .tooManyRequests,
    ]

    /// Forgets a hub that this device has left.
    mutating func forget(_ hub: UUID) {
        done = done.filter { $0.way != hub && $0.hub != hub }
        offered = offered.filter { $0.way != hub && $0.hub != hub }
        boxes = boxes.filter { $0.key.hub != hub }
    }

    private mutating func finish(_ introduction: Done) -> [Action] {
        guard !done.contains(introduction) else { return [] }
        done = done.suffix(AgentLimits.introductions - 1) + [introduction]
        return [.store]
    }

    private func sealed(_ note: SealedNote, _ peer: Peer) -> Action? {
        boxes[peer].flatMap { NoteBox.seal(note, for: $0) }.map { .send($0, peer) }
    }
}

extension SealedNote.Hub {
    /// Whether the description can be one of a hub.
    fileprivate var isValid: Bool {
        Data(base64Encoded: key).flatMap { PublicKey($0) }?.base64 == key
            && addresses.count <= AgentLimits.addresses
            && addresses.allSatisfy { HostAddress.parts($0) != nil }
            && [name, person].allSatisfy { $0.sanitized(maximumLength: HomeLimits.reportedTextLength) == $0 }
    }
}
