import Foundation

@testable import HomeIdentity

extension FuzzTarget {
    /// Lists of hubs: as anybody sends them, and as a hub itself has signed them. The first byte chooses.
    static let hubLists = FuzzTarget("hub-lists", maximumLength: 8_400) { input throws(Violation) in
        guard let choice = input.first else { return false }
        let bytes = Array(input.dropFirst())
        return choice % 2 == 0 ? try HubListStage.shared.sent(bytes) : try HubListStage.shared.signed(bytes)
    }

    /// Chains of lists of hubs, as a device decrypts them: anybody can encrypt for it.
    static let hubListChains = FuzzTarget("hub-list-chains", maximumLength: 6_600) { input throws(Violation) in
        try HubListStage.shared.chain(input)
    }
}

/// A device that has joined a hub whose key is fixed, so that inputs can be signed by it.
private struct HubListStage {
    static let shared = HubListStage()

    private let key: IdentityKey
    private let pinned: PinnedHubs

    private init() {
        guard let key = IdentityKey(seed: [UInt8](repeating: 3, count: 32)) else {
            preconditionFailure("a seed has 32 bytes")
        }
        self.key = key
        pinned = PinnedHubs(joined: key.publicKey)
    }

    /// Nobody but a fuzzer with the hub's key could have signed the input.
    func sent(_ bytes: [UInt8]) throws(Violation) -> Bool {
        var pinned = pinned
        let isTaken = (try? pinned.take(bytes)) != nil
        try hold(isTaken || pinned == self.pinned, "a refused list changes something")
        guard let list = try? SignedHubList(bytes) else {
            try hold(!isTaken, "a list that can't be read is taken")
            return false
        }
        try hold(list.bytes == bytes, "a list differs from its bytes")
        try hold(
            isTaken == (list.isSigned(by: key.publicKey) && list.list.keys.contains(key.publicKey)),
            "a list of others is taken"
        )
        return true
    }

    /// Lists that the hub may have signed.
    func chain(_ bytes: [UInt8]) throws(Violation) -> Bool {
        guard let chain = try? HubListChain(bytes) else { return false }
        try hold(chain.bytes == bytes, "a chain differs from its bytes")
        try hold((1...HubListLimits.maximumLists).contains(chain.lists.count), "a chain has too many lists")
        let members = Set(chain.lists.flatMap(\.list.members))
        try hold(members.count <= HubListLimits.maximumChainHubs, "a chain has too many hubs")
        var pinned = pinned
        guard (try? pinned.take(chain)) != nil else {
            try hold(pinned == self.pinned, "a refused chain changes something")
            return false
        }
        try hold(pinned.list?.list == chain.newest.list, "a device stops before the newest list")
        try hold(chain.lists.contains { $0.isSigned(by: key.publicKey) }, "lists of others are taken")
        try hold((try? pinned.take(chain)) == PinnedHubs.Change(), "a chain changes something twice")
        return true
    }

    /// The hub has signed the input.
    func signed(_ line: [UInt8]) throws(Violation) -> Bool {
        guard !line.contains(LineJSON.lineFeed) else { return false }
        let bytes = SignedLine(line, by: key, for: .hubs).bytes
        var pinned = pinned
        guard (try? pinned.take(bytes)) != nil else {
            try hold(pinned == self.pinned, "a refused list changes something")
            return false
        }
        try hold((1...HubListLimits.maximumHubs).contains(pinned.keys.count), "too many hubs are pinned")
        try hold(Set(pinned.keys).count == pinned.keys.count, "a hub is pinned twice")
        try hold(pinned.contains(key.publicKey), "the only hub that was known is gone")
        try hold((try? pinned.take(bytes)) == PinnedHubs.Change(), "a list changes something twice")
        return true
    }
}
