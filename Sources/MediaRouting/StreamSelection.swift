package import AirPlay
package import AirPlayNetwork
internal import AppleLossless

/// The protocol and the encoding of a stream to a receiver, by the user's wishes and the receiver's record.
package struct StreamSelection: Sendable {
    /// The protocol of a stream.
    package enum Version: String, CaseIterable, Codable, Hashable, Sendable {
        case airplay2
        case classic
    }

    /// Whether Apple Lossless is used, or `nil` for what the receiver prefers.
    package var isLossless: Bool?
    /// The protocol, or `nil` for AirPlay 2 if the receiver advertises it.
    package var version: Version?
    /// Whether the receiver is paired with a PIN, even if it lets everyone in.
    package var needsPairing = false
    /// The pairings.
    package var pairings: SenderPairings
    /// The password, or `nil` if there is none.
    package var password: String?

    /// Creates a selection without wishes.
    package init(_ pairings: SenderPairings) {
        self.pairings = pairings
    }

    /// Returns the parameters of a stream to an address.
    package func configuration(host: String, port: Int, named name: String) -> AirPlaySender.Configuration {
        let kind: SenderPairing.Kind? = needsPairing ? .full : version == .airplay2 ? .transient : nil
        return configuration(host, port, isLossless: isLossless ?? true, kind, named: name)
    }

    /// Returns the parameters of a stream to a receiver that was found.
    ///
    /// - Throws: ``AirPlayNetworkError/encryptionRequired`` if the receiver needs Apple's keys.
    package func configuration(
        of receiver: FoundReceiver
    ) throws(AirPlayNetworkError) -> AirPlaySender.Configuration {
        let record = receiver.record
        let isAirPlay2 = usesAirPlay2(record)
        guard record.acceptsUnencrypted || isAirPlay2 else { throw .encryptionRequired }
        let kind: SenderPairing.Kind? = isAirPlay2 ? record.requiresPairing || needsPairing ? .full : .transient : nil
        let isLossless = isLossless ?? record.codecs.contains(.appleLossless)
        return configuration(receiver.host, receiver.port, isLossless: isLossless, kind, named: record.name)
    }

    /// Returns whether a stream to a receiver uses AirPlay 2.
    package func usesAirPlay2(_ record: ReceiverRecord) -> Bool {
        version.map { $0 == .airplay2 } ?? Self.prefersAirPlay2(record)
    }

    /// Returns whether a receiver shows a PIN to senders that it doesn't know.
    package static func needsPIN(_ record: ReceiverRecord) -> Bool {
        prefersAirPlay2(record) && record.requiresPairing
    }

    private static func prefersAirPlay2(_ record: ReceiverRecord) -> Bool {
        // Not all receivers that have both take the password in AirPlay 2.
        record.features.hasAirPlay2 && !(record.needsPassword && record.acceptsUnencrypted)
    }

    private func configuration(
        _ host: String,
        _ port: Int,
        isLossless: Bool,
        _ kind: SenderPairing.Kind?,
        named name: String
    ) -> AirPlaySender.Configuration {
        let lossless = (try? AppleLosslessConfiguration()).map { AudioFormat.appleLossless($0) }
        let format = isLossless ? lossless ?? .pcm : .pcm
        var configuration = AirPlaySender.Configuration(host: host, port: port, format: format)
        configuration.password = password
        configuration.access = kind.map { pairings.access($0, receiver: name) }
        return configuration
    }
}
