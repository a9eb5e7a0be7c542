package import Foundation

/// A device in its user's own log: a machine with an agent, or a browser that stays signed in.
///
/// A removed device stays for ``HomeLimits/removedDeviceDays`` days as a record without a name, so that the hub can tell
/// it that it was removed.
package struct AccountDeviceRecord: Hashable, Sendable, Identifiable {
    /// The kind of device. Unknown values are preserved.
    package struct Kind: Hashable, Sendable, Codable, RawRepresentable {
        /// The kind's name in logs and messages.
        package var rawValue: String

        /// Creates a kind from its name.
        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// A machine whose agent serves its apps. It has a key.
        package static let agent = Kind(rawValue: "agent")
        /// A browser that stays signed in.
        package static let browser = Kind(rawValue: "browser")
    }

    /// The device's ID.
    package var id: UUID
    /// The name that its user gave it; empty once it was removed.
    package var name: String
    /// The kind of device.
    package var kind: Kind
    /// The public key by which the hub knows the device, 32 bytes; `nil` for browsers.
    package var key: [UInt8]?
    /// The public key for which the hub encrypts the keys of the user's feed, 1,216 bytes; `nil` if the device reads none.
    package var box: [UInt8]?
    /// The public key by which a relay knows the device, 32 bytes; `nil` if it reads no feed.
    package var relayKey: [UInt8]?
    /// When it was added.
    package var added: Date
    /// The user's device that added it; `nil` if it was added at the hub or by another user.
    package var addedBy: UUID?
    /// The invitation that it came with, which ended with this record; `nil` if it needed none.
    package var invitation: UUID?
    /// Whether the device has no access until it is confirmed. Devices are suspended when the hub is restored from a copy,
    /// because they may have been removed since the copy was made.
    package var isSuspended: Bool
    /// When it was removed; `nil` while it is a device.
    package var removed: Date?

    /// Creates the record of a device.
    package init(
        id: UUID,
        name: String,
        kind: Kind,
        key: [UInt8]? = nil,
        box: [UInt8]? = nil,
        relayKey: [UInt8]? = nil,
        added: Date,
        addedBy: UUID? = nil,
        invitation: UUID? = nil,
        isSuspended: Bool = false,
        removed: Date? = nil
    ) {
        self.id = id
        self.name = name
        self.kind = kind
        self.key = key
        self.box = box
        self.relayKey = relayKey
        self.added = added
        self.addedBy = addedBy
        self.invitation = invitation
        self.isSuspended = isSuspended
        self.removed = removed
    }
}

extension AccountDeviceRecord: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, name, key, box, relayKey, added, addedBy, invitation, isSuspended, removed
        // A record's member `kind` is the kind of record.
        case kind = "type"
    }

    /// Decodes a record, with its keys in base64 and its times in milliseconds since 1970.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func bytes(_ key: CodingKeys) throws -> [UInt8]? {
            try container.decodeIfPresent(String.self, forKey: key).flatMap { Data(base64Encoded: $0) }.map {
                Array($0)
            }
        }
        self.init(
            id: try container.decode(UUID.self, forKey: .id),
            name: try container.decode(String.self, forKey: .name),
            kind: try container.decode(Kind.self, forKey: .kind),
            key: try bytes(.key),
            box: try bytes(.box),
            relayKey: try bytes(.relayKey),
            added: Date(milliseconds: try container.decode(Int64.self, forKey: .added)),
            addedBy: try container.decodeIfPresent(UUID.self, forKey: .addedBy),
            invitation: try container.decodeIfPresent(UUID.self, forKey: .invitation),
            isSuspended: try container.decodeIfPresent(Bool.self, forKey: .isSuspended) ?? false,
            removed: try container.decodeIfPresent(Int64.self, forKey: .removed).map { Date(milliseconds: $0) }
        )
    }

    /// Encodes the record; `isSuspended` only if it is `true`.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(name, forKey: .name)
        try container.encode(kind, forKey: .kind)
        try container.encodeIfPresent(key.map { Data($0).base64EncodedString() }, forKey: .key)
        try container.encodeIfPresent(box.map { Data($0).base64EncodedString() }, forKey: .box)
        try container.encodeIfPresent(relayKey.map { Data($0).base64EncodedString() }, forKey: .relayKey)
        try container.encode(added.milliseconds, forKey: .added)
        try container.encodeIfPresent(addedBy, forKey: .addedBy)
        try container.encodeIfPresent(invitation, forKey: .invitation)
        if isSuspended { try container.encode(isSuspended, forKey: .isSuspended) }
        try container.encodeIfPresent(removed?.milliseconds, forKey: .removed)
    }
}
