internal import Crypto
package import HAP

/// A receiver's description of itself in its TXT record, and its name on the network.
package struct ReceiverRecord: Hashable, Sendable {
    /// The service's type.
    package static let serviceType = "_raop._tcp"
    /// The type of the second service, with which AirPlay 2 describes the same receiver.
    package static let airPlayServiceType = "_airplay._tcp"
    /// The type of the service that receives a receiver's commands.
    package static let remoteControlType = "_dacp._tcp"

    /// An encoding of audio that a receiver accepts.
    package enum Codec: Int, Hashable, Sendable {
        case pcm = 0
        case appleLossless = 1
    }

    /// A kind of metadata that a receiver accepts.
    package enum MetadataKind: Int, Hashable, Sendable {
        case text = 0
        case artwork = 1
        case progress = 2
    }

    /// The receiver's ID: 12 hex digits.
    package var deviceID: String
    /// The receiver's name.
    package var name: String
    /// The encodings that it accepts.
    package var codecs: Set<Codec> = [.pcm, .appleLossless]
    /// The metadata that it accepts.
    package var metadata: Set<MetadataKind> = [.text, .artwork, .progress]
    /// Whether it needs a password.
    package var needsPassword = false
    /// Whether it accepts streams without encryption.
    package var acceptsUnencrypted = true
    /// Its model.
    package var model: String?
    /// Its features, empty if it only takes classic streams.
    package var features: ReceiverFeatures = []
    /// Whether senders need a PIN to pair.
    package var needsPIN = false
    /// Its long-term public key, or `nil` if it doesn't say.
    package var publicKey: LongTermPublicKey?

    /// Creates the record of a receiver.
    package init(deviceID: String, name: String) {
        self.deviceID = deviceID
        self.name = name
    }

    /// Returns an ID for a receiver without hardware: the same for the same name, and marked as locally administered.
    package static func deviceID(of name: String) -> String {
        var bytes = Array(SHA256.hash(data: Array("Hearth \(name)".utf8)).prefix(6))
        bytes[0] = bytes[0] & 0xFC | 0x02
        return bytes.hexadecimal.uppercased()
    }

    /// Reads an instance name such as `0011223344FF@Kitchen`, and a TXT record.
    ///
    /// Returns `nil` if the name lacks the ID.
    package init?(instanceName: String, txt value: (String) -> String?) {
        let parts = instanceName.split(separator: "@", maxSplits: 1)
        guard parts.count == 2, parts[0].count == 12, parts[0].allSatisfy(\.isHexDigit) else { return nil }
        self.init(deviceID: String(parts[0]), name: String(parts[1]))
        func numbers(_ key: String) -> [Int]? { value(key)?.split(separator: ",").compactMap { Int($0) } }
        if let numbers = numbers("cn") { codecs = Set(numbers.compactMap(Codec.init)) }
        metadata = Set((numbers("md") ?? []).compactMap(MetadataKind.init))
        needsPassword = ["true", "1"].contains(value("pw")?.lowercased() ?? "")
        acceptsUnencrypted = numbers("et")?.contains(0) ?? true
        model = value("am")
        features = value("ft").flatMap { ReceiverFeatures($0) } ?? []
        needsPIN = !(value("sf").flatMap { ReceiverStatus($0) } ?? []).isDisjoint(with: [.needsPIN, .needsPairing])
        publicKey = value("pk").flatMap { Hexadecimal.bytes($0) }.flatMap { LongTermPublicKey($0) }
    }

    /// Whether a sender must pair with a PIN before it plays.
    package var requiresPairing: Bool {
        needsPIN || (!features.isEmpty && features.isDisjoint(with: [.transientPairing, .systemPairing]))
    }

    /// The instance name.
    package var instanceName: String { "\(deviceID)@\(name)" }

    /// The keys and values of the TXT record.
    package var txt: [(key: String, value: String)] {
        func list(_ numbers: [Int]) -> String { numbers.sorted().map { "\($0)" }.joined(separator: ",") }
        var txt = [
            ("txtvers", "1"), ("ch", "2"), ("cn", list(codecs.map(\.rawValue))), ("da", "true"), ("et", "0"),
            ("md", list(metadata.map(\.rawValue))), ("pw", needsPassword ? "true" : "false"), ("sr", "44100"),
            ("ss", "16"), ("sf", status.text), ("tp", "UDP"), ("vn", "65537"), ("vs", "105.1"),
            ("am", model ?? Self.model),
        ]
        // Senders that see this key use AirPlay 2, but pyatv and others send passwords only in the classic protocol. Those
        // that send them in both find AirPlay 2 in the second service.
        if !features.isEmpty, !needsPassword { txt.append(("ft", features.text)) }
        if let publicKey { txt.append(("pk", publicKey.description)) }
        return txt
    }
}
