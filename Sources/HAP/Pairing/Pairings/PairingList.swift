/// The pairings of an accessory, with the rules for changing them (HAP specification, pairings).
///
/// Change a copy, store it durably, and only then replace the list and answer. If storing fails, discard the copy and
/// answer with ``PairingError/unknown``.
public struct PairingList: Hashable, Sendable {
    /// The pairings in the order in which they were added.
    public private(set) var pairings: [Pairing]
    /// The maximum number of pairings.
    public let capacity: Int

    /// Creates a list from stored pairings. The list is empty if there is no admin among them, because no controller
    /// could manage it.
    public init(_ pairings: [Pairing] = [], capacity: Int = PairingLimits.pairings) {
        self.pairings = pairings
        self.capacity = capacity
        if !hasAdmin {
            self.pairings = []
        }
    }

    /// Whether the accessory is unpaired. Pair-setup is then available, and the TXT record says so.
    public var isEmpty: Bool { pairings.isEmpty }

    /// The pairing of a controller, or `nil` if there is none.
    public subscript(id: PairingID) -> Pairing? {
        pairings.first { $0.controllerID == id }
    }

    /// Returns the permissions of a controller, or `nil` if it isn't paired.
    package func permissions(of id: PairingID) -> PairingPermissions? {
        pairings.firstIndex { $0.controllerID == id }.map { pairings[$0].permissions }
    }

    private var hasAdmin: Bool { pairings.contains { $0.permissions == .admin } }
}

extension PairingList {
    /// The result of a request.
    public struct Outcome: Hashable, Sendable {
        /// The response to send.
        public let response: PairingsResponse
        /// Whether the list changed and must be stored before the response is sent.
        public let isChanged: Bool
        /// The controllers that are no longer paired. Once the response is sent, close all their connections, including
        /// the requester's if it is among them, and drop their subscriptions and timed writes.
        public let removed: [PairingID]
    }

    /// Handles a request from a controller on a secured connection.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - controller: The requesting controller. It must be an admin now, regardless of its permissions when it
    ///     verified.
    public mutating func handle(_ request: PairingsRequest, from controller: PairingID) -> Outcome {
        guard self[controller]?.permissions == .admin else { return refuse(.authentication) }
        switch request {
        case .list:
            return Outcome(response: .list(pairings), isChanged: false, removed: [])
        case .add(let pairing):
            let before = pairings
            do {
                try insert(pairing)
            } catch {
                return refuse(error)
            }
            return done(since: before)
        case .remove(let id):
            let before = pairings
            pairings.removeAll { $0.controllerID == id }
            return done(since: before)
        }
    }

    /// Adds a pairing, or changes the permissions of an existing one. Also adds the first pairing after pair-setup.
    ///
    /// - Throws: ``PairingError/unknown`` if the controller is paired with another key, or ``PairingError/maxPeers`` if
    ///   the list is full. The list is then unchanged.
    public mutating func insert(_ pairing: Pairing) throws(PairingError) {
        if let index = pairings.firstIndex(where: { $0.controllerID == pairing.controllerID }) {
            guard pairings[index].publicKey == pairing.publicKey else { throw .unknown }
            pairings[index].permissions = pairing.permissions
        } else {
            guard pairings.count < capacity else { throw .maxPeers }
            pairings.append(pairing)
        }
    }

    private func refuse(_ error: PairingError) -> Outcome {
        Outcome(response: .refused(error), isChanged: false, removed: [])
    }

    /// Removes all pairings if no admin is left, and reports those removed since `before`.
    private mutating func done(since before: [Pairing]) -> Outcome {
        if !hasAdmin {
            pairings = []
        }
        let removed = before.map(\.controllerID).filter { self[$0] == nil }
        return Outcome(response: .done, isChanged: pairings != before, removed: removed)
    }
}
