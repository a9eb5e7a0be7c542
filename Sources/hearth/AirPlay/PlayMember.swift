import AirPlay
import AirPlayNetwork
import MediaRouting

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
        var selection: StreamSelection
        var nowPlaying = NowPlaying()
    }

    var address: Address
    var parameters: Parameters

    /// Asks for the password on a terminal, if the receiver needs one that the user hasn't given.
    mutating func askForPassword(_ browser: ReceiverBrowser?) async throws(CommandFailure) {
        guard case .name(let name) = address, parameters.selection.password == nil, AirPlayPrompt.hasTerminal,
            let receiver = await browser?.receiver(named: name), receiver.record.needsPassword
        else { return }
        parameters.selection.password = try await AirPlayPrompt.password(name)
    }

    /// Finds the receiver, and selects an encoding.
    func locate(_ browser: ReceiverBrowser?) async throws(AirPlayNetworkError) -> AirPlaySender.Configuration {
        var configuration: AirPlaySender.Configuration
        switch address {
        case .host(let host, let port):
            configuration = parameters.selection.configuration(host: host, port: port, named: host)
        case .name(let name):
            guard let receiver = await browser?.receiver(named: name) else { throw .notFound(name) }
            configuration = try parameters.selection.configuration(of: receiver)
        }
        configuration.frameCount = parameters.frameCount
        configuration.nowPlaying = parameters.nowPlaying
        return configuration
    }
}
