import AirPlay
import AirPlayNetwork
import AppleLossless

/// A receiver to play to, and how it is found.
struct PlayMember: Sendable {
    /// The address of a receiver.
    enum Address: Sendable {
        case name(String)
        case host(String, port: Int)
    }

    /// The parameters of its stream.
    struct Parameters: Sendable {
        var frameCount: Int
        /// Whether Apple Lossless is used, or `nil` for what the receiver prefers.
        var isLossless: Bool?
        /// The protocol, or `nil` for AirPlay 2 if the receiver advertises it.
        var version: AirPlayVersion?
        var pairings: SenderPairings
        var password: String?
        var nowPlaying = NowPlaying()
    }

    var address: Address
    var parameters: Parameters

    /// Finds the receiver, and selects an encoding.
    func locate(_ browser: ReceiverBrowser?) async throws(AirPlayNetworkError) -> AirPlaySender.Configuration {
        switch address {
        case .host(let host, let port):
            let kind: SenderPairing.Kind? =
                parameters.pairings.isWanted ? .full : parameters.version == .airplay2 ? .transient : nil
            return configuration(host, port, isLossless: parameters.isLossless ?? true, kind, named: host)
        case .name(let name):
            guard let receiver = await browser?.receiver(named: name) else { throw .notFound(name) }
            let record = receiver.record
            let isAirPlay2 =
                parameters.version.map { $0 == .airplay2 } ?? (record.features.hasAirPlay2 && !record.needsPassword)
            guard record.acceptsUnencrypted || isAirPlay2 else { throw .encryptionRequired }
            let isLossless = parameters.isLossless ?? record.codecs.contains(.appleLossless)
            let needsFull = record.requiresPairing || parameters.pairings.hasPIN
            let kind: SenderPairing.Kind? = isAirPlay2 ? needsFull ? .full : .transient : nil
            return configuration(receiver.host, receiver.port, isLossless: isLossless, kind, named: record.name)
        }
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
        configuration.password = parameters.password
        configuration.access = kind.map { parameters.pairings.access($0, receiver: name) }
        configuration.frameCount = parameters.frameCount
        configuration.nowPlaying = parameters.nowPlaying
        return configuration
    }
}
