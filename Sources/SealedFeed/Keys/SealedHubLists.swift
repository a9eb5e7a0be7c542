package import Foundation
package import HomeIdentity

/// The signed lists of hubs for one device, which may know none of the hubs that write to its feed now. Only the device's box
/// opens it, so that a relay doesn't learn the hubs' keys.
///
/// It has no signature, because the device may not know whoever could sign it: each list in it has one.
package struct SealedHubLists: Hashable, Sendable {
    private struct Line: Codable {
        var version: Int
        var house: HouseID
        var feed: FeedID
        var gen: Int
        var to: UUID
        var suite: String
        var enc: Data
    }

    /// All bytes.
    package let bytes: [UInt8]
    /// The feed.
    package let address: FeedAddress
    /// The generation beside whose envelopes it is.
    package let generation: Int
    /// The device.
    package let device: UUID
    private let message: BoxMessage

    /// Reads sealed lists. Returns `nil` if the bytes aren't any of this version.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count <= FeedLimits.hubListsBytes, let end = bytes.firstIndex(of: LineJSON.lineFeed),
            let line = LineJSON.decode(Line.self, from: Array(bytes[..<end])),
            line.version == FeedLimits.version, line.suite == BoxMessage.suiteName,
            (1...FeedLimits.maximumNumber).contains(line.gen),
            line.enc.count == BoxMessage.encapsulatedKeyByteCount,
            // So nobody can alter a single byte.
            LineJSON.encode(line) == Array(bytes[..<end])
        else { return nil }
        self.bytes = bytes
        address = FeedAddress(house: line.house, feed: line.feed)
        generation = line.gen
        device = line.to
        message = BoxMessage(encapsulatedKey: Array(line.enc), ciphertext: Array(bytes[(end + 1)...]))
    }

    /// Encrypts lists for a device. Returns `nil` if the device's box isn't a key.
    package init?(
        _ lists: HubListChain,
        generation: Int,
        of address: FeedAddress,
        to device: UUID,
        _ box: PublicBox
    ) {
        let info = Self.info(address, generation, device)
        guard let message = box.seal(lists.bytes, info: info, authenticating: []) else { return nil }
        let line = Line(
            version: FeedLimits.version,
            house: address.house,
            feed: address.feed,
            gen: generation,
            to: device,
            suite: BoxMessage.suiteName,
            enc: Data(message.encapsulatedKey)
        )
        bytes = LineJSON.encode(line) + [LineJSON.lineFeed] + message.ciphertext
        self.address = address
        self.generation = generation
        self.device = device
        self.message = message
    }

    /// Returns the lists; `nil` if they are for another box, or aren't lists. Their signatures aren't checked.
    package func open(with box: BoxKey) -> HubListChain? {
        guard let bytes = box.open(message, info: Self.info(address, generation, device), authenticating: []) else {
            return nil
        }
        return try? HubListChain(bytes)
    }

    /// Returns the ID under which a relay has a device's lists among the envelopes: the device's with all bits inverted, which no
    /// device has, because random IDs have a version.
    package static func recipient(for device: UUID) -> UUID {
        let inverted = withUnsafeBytes(of: device.uuid) { $0.map { ~$0 } }
        return UUID(uuid: inverted.withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) })
    }

    /// The purpose that the lists are encrypted for: this feed, generation and device.
    private static func info(_ address: FeedAddress, _ generation: Int, _ device: UUID) -> [UInt8] {
        Array(SigningContext.hubLists.text.utf8) + [0] + address.house.bytes + address.feed.bytes
            + withUnsafeBytes(of: UInt64(generation).bigEndian) { Array($0) }
            + withUnsafeBytes(of: device.uuid) { Array($0) }
    }
}
