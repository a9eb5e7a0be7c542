/// The pairings of an accessory and the rules by which admins change them (HAP specification, pairings).
///
/// A value: work on a copy, store it durably, and only then put it in place of the old one and answer. If storing
/// fails, drop the copy and answer ``PairingError/unknown``.
public struct PairingList: Hashable, Sendable {
    /// The pairings in the order in which they were added.
    public private(set) var pairings: [Pairing]
    /// How many pairings there is room for.
    public let capacity: Int

    /// Creates a list of stored pairings. Without an admin among them it is empty, as nobody could manage it.
    public init(_ pairings: [Pairing] = [], capacity: Int = PairingLimits.pairings) {
        self.pairings = pairings
        self.capacity = capacity
        if !hasAdmin {
            self.pairings = []
        }
    }

    /// Whether the accessory is unpaired: pair-setup is open and the TXT record says so.
    public var isEmpty: Bool { pairings.isEmpty }

    /// The pairing of a controller, if there is one.
    public subscript(id: PairingID) -> Pairing? {
        pairings.first { $0.controllerID == id }
    }

    private var hasAdmin: Bool { pairings.contains { $0.permissions == .admin } }
}

extension PairingList {
    /// What became of a request.
    public struct Outcome: Hashable, Sendable {
        /// The answer.
        public let response: PairingsResponse
        /// Whether the list is another now and must be stored before the answer goes out.
        public let isChanged: Bool
        /// The controllers that are no longer paired: once the answer is out, close all their connections, the asker's
        /// too if it is among them, and drop their subscriptions and timed writes.
        public let removed: [PairingID]
    }

    /// Does what a controller asks on its secured connection.
    ///
    /// - Parameter asker: the controller, which must be an admin now, whatever it was when it verified.
    public mutating func handle(_ request: PairingsRequest, from asker: PairingID) -> Outcome {
        guard self[asker]?.permissions == .admin else { return refuse(.authentication) }
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

    /// Adds a pairing, or changes the permissions of a known controller; after pair-setup, the first one.
    ///
    /// - Throws: ``PairingError/unknown`` if the controller is known with another key, ``PairingError/maxPeers`` if
    ///   there is no room. The list is then as it was.
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

    /// Drops every pairing if no admin is left, and tells what is gone since `before`.
    private mutating func done(since before: [Pairing]) -> Outcome {
        if !hasAdmin {
            pairings = []
        }
        let removed = before.map(\.controllerID).filter { self[$0] == nil }
        return Outcome(response: .done, isChanged: pairings != before, removed: removed)
    }
}
