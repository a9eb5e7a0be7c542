import Crypto
import HAP

/// The text that brings a device to a hub: the hub's identity, where it listens, its door at a relay, and the secret of an
/// invitation.
///
/// All of its characters are in the alphanumeric set of QR codes. Printing it doesn't reveal the secret.
package struct InvitationLink: Hashable, Sendable, Redacted {
    /// The start of each link.
    package static let prefix = "HEARTH:JOIN:"
    /// The format of a link that leads to the hub's network alone.
    package static let version: UInt8 = 1
    /// The format of a link with a door at a relay.
    package static let doorVersion: UInt8 = 2
    /// The maximum number of addresses in a link.
    package static let maximumAddresses = 3
    /// The number of characters of a link that fit into a QR code.
    package static let codeLength = 213
    /// The maximum number of characters that are read as a link, spaces and line breaks included.
    package static let maximumLength = 400
    /// The number of bytes of SHA-256 at the end, by which a link that was cut or altered is recognized without a try.
    private static let checksumByteCount = 4

    /// The invitation.
    package let invitation: InvitationID
    /// The invitation's secret.
    package let secret: LinkSecret
    /// The ``PublicKey/fingerprint`` of the hub's key.
    package let hubFingerprint: [UInt8]
    /// Where the hub listened when the link was made.
    package let addresses: [HubAddress]
    /// The hub's door at its relay; `nil` if the invitation is for the hub's network alone.
    package let door: RelayDoor?

    /// Creates a link with the first three of the hub's addresses, or, beside a door, as many of these as fit into a QR code.
    package init(
        invitation: InvitationID,
        secret: LinkSecret,
        hub: PublicKey,
        addresses: [HubAddress],
        door: RelayDoor? = nil
    ) {
        self.door = door
        self.invitation = invitation
        self.secret = secret
        self.hubFingerprint = hub.fingerprint
        var addresses = Array(addresses.prefix(Self.maximumAddresses))
        while door != nil, !addresses.isEmpty, Self.length(addresses, door) > Self.codeLength { addresses.removeLast() }
        self.addresses = addresses
    }

    /// Returns the number of characters of a link.
    private static func length(_ addresses: [HubAddress], _ door: RelayDoor?) -> Int {
        let fixed = 1 + InvitationID.byteCount + LinkSecret.byteCount + PublicKey.fingerprintByteCount
        let relay = door.map { HouseID.byteCount + RelayDoor.seedByteCount + 1 + $0.relay.utf8.count } ?? 0
        let network = addresses.reduce(0) { $0 + 1 + $1.ip.count + MemoryLayout<UInt16>.size }
        let bits = 8 * (fixed + relay + network + checksumByteCount)
        return prefix.count + (bits + 4) / 5
    }

    /// The ``PublicKey/discoveryID`` of the hub's key.
    package var hubDiscoveryID: String { PublicKey.discoveryID(of: hubFingerprint) }

    /// Returns whether the link leads to the hub with a key.
    package func leads(to hub: PublicKey) -> Bool {
        ConstantTime.equal(hub.fingerprint, hubFingerprint)
    }

    /// The link's text.
    package var text: String {
        var bytes = [door == nil ? Self.version : Self.doorVersion] + invitation.bytes + secret.bytes + hubFingerprint
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
        guard let bytes = CrockfordBase32.decode(encoded), let version = bytes.first else { throw .damaged }
        guard version == Self.version || version == Self.doorVersion else { throw .unknownVersion }
        let content = bytes.dropLast(Self.checksumByteCount)
        guard Array(bytes.suffix(Self.checksumByteCount)) == Self.checksum(of: content) else { throw .damaged }
        var rest = content.dropFirst()
        guard let invitation = InvitationID(Self.take(InvitationID.byteCount, from: &rest)),
            let secret = LinkSecret(Self.take(LinkSecret.byteCount, from: &rest))
        else { throw .damaged }
        let fingerprint = Self.take(PublicKey.fingerprintByteCount, from: &rest)
        guard fingerprint.count == PublicKey.fingerprintByteCount else { throw .damaged }
        door = version == Self.doorVersion ? try Self.door(from: &rest) : nil
        var addresses: [HubAddress] = []
        while let count = rest.popFirst() {
            let ip = Self.take(Int(count), from: &rest)
            let port = Self.take(MemoryLayout<UInt16>.size, from: &rest)
            guard addresses.count < Self.maximumAddresses, port.count == MemoryLayout<UInt16>.size,
                let address = HubAddress(ip: ip, port: port.reduce(0) { $0 << 8 | UInt16($1) })
            else { throw .damaged }
            addresses.append(address)
        }
        self.invitation = invitation
        self.secret = secret
        self.addresses = addresses
        hubFingerprint = Array(fingerprint)
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
