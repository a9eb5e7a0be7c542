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
        var password: String?
        var nowPlaying = NowPlaying()
    }

    var address: Address
    var parameters: Parameters

    /// Finds the receiver, and selects an encoding.
    func locate(_ browser: ReceiverBrowser?) async throws(AirPlayNetworkError) -> AirPlaySender.Configuration {
        switch address {
        case .host(let host, let port): return configuration(host, port, isLossless: parameters.isLossless ?? true)
        case .name(let name):
            guard let receiver = await browser?.receiver(named: name) else { throw .notFound(name) }
            let record = receiver.record
            guard record.acceptsUnencrypted else { throw .encryptionRequired }
            let isLossless = parameters.isLossless ?? record.codecs.contains(.appleLossless)
            return configuration(receiver.host, receiver.port, isLossless: isLossless)
        }
    }

    private func configuration(_ host: String, _ port: Int, isLossless: Bool) -> AirPlaySender.Configuration {
        let lossless = (try? AppleLosslessConfiguration()).map { AudioFormat.appleLossless($0) }
        let format = isLossless ? lossless ?? .pcm : .pcm
        var configuration = AirPlaySender.Configuration(host: host, port: port, format: format)
        configuration.password = parameters.password
        configuration.frameCount = parameters.frameCount
        configuration.nowPlaying = parameters.nowPlaying
        return configuration
    }
}
