internal import AirPlay
package import DNSSD

extension AirPlaySender {
    private static let version = "131075"

    /// Advertises the service that takes the receiver's commands, once ``connect()`` has returned.
    ///
    /// - Returns: The advertisement, or `nil` if it failed. Without it, the receiver sends no commands.
    package func advertiseRemoteControl(_ discovery: MulticastDNS?) async -> Advertisement? {
        guard let discovery, let port = remoteControlPort,
            let type = try? ServiceType(ReceiverRecord.remoteControlType)
        else { return nil }
        return try? await discovery.advertise(
            ServiceAdvertisement(
                instanceName: remoteControlAddress.instanceName,
                type: type,
                port: UInt16(port),
                txt: ["txtvers": "1", "Ver": "\(Self.version)", "DbId": "\(remoteControlAddress.id)"]
            )
        )
    }
}
