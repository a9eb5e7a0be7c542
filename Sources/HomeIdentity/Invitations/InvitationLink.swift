import Crypto
import HAP

/// The text that brings a device to a hub: the identity of the hub, or of both hubs that keep the homes, where they listen, their
/// door at a relay, and the secret of an invitation.
///
/// All of its characters are in the alphanumeric set of QR codes. Printing it doesn't reveal the secret.
package struct InvitationLink: Hashable, Sendable, Redacted {
    /// The start of each link.
    package static let prefix = "HEARTH:JOIN:"
    /// The format of a link: whether it leads to one hub or to either of two, and whether it has a door at a relay.
    package enum Version: UInt8, Sendable {
        case hub = 1
        case hubWithDoor = 2
        case twoHubs = 3
        case twoHubsWithDoor = 4

        fileprivate init(isForTwo: Bool, hasDoor: Bool) {
            self = isForTwo ? (hasDoor ? .twoHubsWithDoor : .twoHubs) : (hasDoor ? .hubWithDoor : .hub)
        }

        fileprivate var hubCount: Int { self == .hub || self == .hubWithDoor ? 1 : 2 }
        fileprivate var hasDoor: Bool { self == .hubWithDoor || self == .twoHubsWithDoor }
    }
    /// The maximum number of addresses of each hub in a link.
    package static let maximumAddresses = 3
    /// The number of characters of a link that fit into a QR code.
    package static let codeLength = 213
    /// The maximum number of characters of a link that doesn't fit into a QR code, even without addresses.
    package static let longLength = 360
    /// The maximum number of characters that are read as a link, spaces and line breaks included.
    package static let maximumLength = 400
    /// The number of bytes of SHA-256 at the end, by which a link that was cut or altered is recognized without a try.
    private static let checksumByteCount = 4

    /// The invitation.
    package let invitation: InvitationID
    /// The invitation's secret.
    package let secret: LinkSecret
    /// The ``PublicKey/fingerprint`` of the key of each hub that it leads to: that of the one that made it, and that of the other
    /// hub, if two keep the homes.
    package let hubFingerprints: [[UInt8]]
    /// Where the hubs listened when the link was made.
    package let addresses: [HubAddress]
    /// The hubs' door at their relay; `nil` if the invitation is for their network alone.
    package let door: RelayDoor?

    /// Creates a link with the first three addresses of each hub, or as many of these as fit into a QR code. A long address of a
    /// relay can be too much for a code: then there are as many as fit into ``longLength``.
    ///
    /// - Parameters:
    ///   - hub: The key of the hub that makes it.
    ///   - addresses: Where that hub listens.
    ///   - other: The key of the other hub that keeps the homes, and where it was last; `nil` for none.
    package init(
        invitation: InvitationID,
        secret: LinkSecret,
        hub: PublicKey,
        addresses: [HubAddress],
        other: (key: PublicKey, addresses: [HubAddress])? = nil,
        door: RelayDoor? = nil
    ) {
        self.door = door
        self.invitation = invitation
        self.secret = secret
        hubFingerprints = [hub.fingerprint] + (other.map { [$0.key.fingerprint] } ?? [])
        // The first ones are most likely to fit.
        let further = other?.addresses ?? []
        var all = (0..<Self.maximumAddresses).flatMap { index in
            [addresses, further].compactMap { index < $0.count ? $0[index] : nil }
        }
        let count = hubFingerprints.count
        let limit = Self.length([], door, hubs: count) <= Self.codeLength ? Self.codeLength : Self.longLength
        while !all.isEmpty, Self.length(all, door, hubs: count) > limit { all.removeLast() }
        self.addresses = all
    }

    /// Returns the number of characters of a link.
    private static func length(_ addresses: [HubAddress], _ door: RelayDoor?, hubs: Int) -> Int {
        let fixed = 1 + InvitationID.byteCount + LinkSecret.byteCount + hubs * PublicKey.fingerprintByteCount
        let relay = door.map { HouseID.byteCount + RelayDoor.seedByteCount + 1 + $0.relay.utf8.count } ?? 0
        let network = addresses.reduce(0) { $0 + 1 + $1.ip.count + MemoryLayout<UInt16>.size }
        let bits = 8 * (fixed + relay + network + checksumByteCount)
        return prefix.count + (bits + 4) / 5
    }

    /// The ``PublicKey/discoveryID`` of each hub's key.
    package var hubDiscoveryIDs: [String] { hubFingerprints.map { PublicKey.discoveryID(of: $0) } }

    /// Returns whether the link leads to the hub with a key.
    package func leads(to hub: PublicKey) -> Bool {
        hubFingerprints.contains { ConstantTime.equal(hub.fingerprint, $0) }
    }

    /// The link's text.
    package var text: String {
        let version = Version(isForTwo: hubFingerprints.count > 1, hasDoor: door != nil)
        var bytes = [version.rawValue] + invitation.bytes + secret.bytes + hubFingerprints.flatMap(\.self)
        if let door {
            bytes += door.house.bytes + door.seed
            bytes.append(UInt8(door.relay.utf8.count))
            bytes += Array(door.relay.utf8)
        }
        for address in addresses {
            bytes.append(UInt8(address.ip.count))
            bytes += address.ip
            bytes += [UInt8(address.port >> 8), UInt8(truncatingIfNeeded: address.port)]
        }
        return Self.prefix + CrockfordBase32.encode(bytes + Self.checksum(of: bytes))
    }

    /// Reads a link as a user pastes or types it: capitals don't matter, and neither do spaces and line breaks.
    package init(_ text: String) throws(InvitationLinkError) {
        guard text.utf8.count <= Self.maximumLength else { throw .damaged }
        let text = text.filter { !$0.isWhitespace }.uppercased()
        guard text.hasPrefix(Self.prefix) else { throw .notALink }
        let encoded = CrockfordBase32.normalized(text.dropFirst(Self.prefix.count))
        guard let bytes = CrockfordBase32.decode(encoded), let first = bytes.first else { throw .damaged }
        guard let version = Version(rawValue: first) else { throw .unknownVersion }
        let content = bytes.dropLast(Self.checksumByteCount)
        guard Array(bytes.suffix(Self.checksumByteCount)) == Self.checksum(of: content) else { throw .damaged }
        var rest = content.dropFirst()
        guard let invitation = InvitationID(Self.take(InvitationID.byteCount, from: &rest)),
            let secret = LinkSecret(Self.take(LinkSecret.byteCount, from: &rest))
        else { throw .damaged }
        var fingerprints: [[UInt8]] = []
        for _ in 0..<version.hubCount {
            fingerprints.append(Array(Self.take(PublicKey.fingerprintByteCount, from: &rest)))
        }
        guard fingerprints.allSatisfy({ $0.count == PublicKey.fingerprintByteCount }) else { throw .damaged }
        door = version.hasDoor ? try Self.door(from: &rest) : nil
        var addresses: [HubAddress] = []
        while let count = rest.popFirst() {
            let ip = Self.take(Int(count), from: &rest)
            let port = Self.take(MemoryLayout<UInt16>.size, from: &rest)
            guard addresses.count < Self.maximumAddresses * version.hubCount, port.count == MemoryLayout<UInt16>.size,
                let address = HubAddress(ip: ip, port: port.reduce(0) { $0 << 8 | UInt16($1) })
            else { throw .damaged }
            addresses.append(address)
        }
        self.invitation = invitation
        self.secret = secret
        self.addresses = addresses
        hubFingerprints = fingerprints
    }

    private static func door(from bytes: inout ArraySlice<UInt8>) throws(InvitationLinkError) -> RelayDoor {
        let house = HouseID(take(HouseID.byteCount, from: &bytes))
        let seed = take(RelayDoor.seedByteCount, from: &bytes)
        let count = Int(bytes.popFirst() ?? 0)
        let relay = take(count, from: &bytes)
        guard let house, relay.count == count,
            let door = RelayDoor(relay: String(decoding: relay, as: UTF8.self), house: house, seed: seed)
        else { throw .damaged }
        return door
    }

    private static func take(_ count: Int, from bytes: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        defer { bytes = bytes.dropFirst(count) }
        return bytes.prefix(count)
    }

    private static func checksum(of bytes: some Sequence<UInt8>) -> [UInt8] {
        Array(SHA256.hash(data: Array(bytes)).prefix(checksumByteCount))
    }
}

/// Why a text can't be read as a link.
package enum InvitationLinkError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The text doesn't begin as a link does.
    case notALink
    /// Characters are missing, altered or too many.
    case damaged
    /// It was made by a later version.
    case unknownVersion

    /// An explanation for people.
    package var description: String {
        switch self {
        case .notALink: "This isn't an invitation link. A link begins with \(InvitationLink.prefix)."
        case .damaged: "The link is damaged. Copy the whole link, or scan its QR code."
        case .unknownVersion: "The link was made by a newer version of Hearth. Update Hearth on this device."
        }
    }
}
