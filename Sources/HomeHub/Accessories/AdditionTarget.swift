import HAP
import HAPClient
import HomeModel
import HubAPI

/// An accessory server to add, as it was found on the network.
struct AdditionTarget: Sendable {
    /// The human-readable name.
    var name: String
    /// The ID that it advertises, or `nil` if only its address is known.
    var deviceID: DeviceID?
    /// The addresses to try.
    var addresses: [AccessoryAddress]
    /// Whether a controller has paired it, as far as it reports that.
    var isPaired = true
    /// Whether it can prove that it is certified, as far as it reports that.
    var isCertified = true

    /// Finds the accessory that a client names by its ID in the browser, by its device ID, or by its host and port.
    ///
    /// - Throws: ``HubAPI/HubError`` with `notDiscovered` if the accessory isn't on the network.
    static func find(
        _ parameters: AddAccessory,
        by discovery: AccessoryDiscovery
    ) async throws(HubError) -> AdditionTarget {
        if let host = parameters.host, let port = parameters.port, (1...Int(UInt16.max)).contains(port) {
            return AdditionTarget(name: "\(host):\(port)", addresses: [AccessoryAddress(host: host, port: port)])
        }
        guard let server = try await server(parameters, by: discovery) else {
            throw HubError(.notDiscovered, "The accessory wasn't found on the network. Check that it is powered on.")
        }
        return AdditionTarget(
            name: server.name.sanitized(maximumLength: HomeLimits.nameLength),
            deviceID: server.deviceID,
            addresses: server.addresses,
            isPaired: server.isPaired,
            isCertified: server.isCertified
        )
    }

    private static func server(
        _ parameters: AddAccessory,
        by discovery: AccessoryDiscovery
    ) async throws(HubError) -> AccessoryDiscovery.Server? {
        if let id = parameters.discovered { return await discovery.server(discovered: id) }
        guard let text = parameters.deviceID else {
            throw HubError(.malformedMessage, "Name the accessory to add by its ID, or by its host and port.")
        }
        guard let deviceID = DeviceID(text) else {
            let reason = "“\(text.prefix(40))” is not a device ID; use a form such as 3C:5A:B4:01:02:03."
            throw HubError(.notDiscovered, reason)
        }
        return await discovery.server(deviceID, within: AccessoryAddition.discoveryTimeout)
    }
}
