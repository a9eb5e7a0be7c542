import HAPCatalog

extension ServiceShape {
    /// Whether users interact with the service, as opposed to services that describe or maintain the accessory.
    package var isUserInteractive: Bool { !isHidden && !Self.backgroundTypes.contains(type) }

    /// The types of services that users don't interact with.
    private static let backgroundTypes: Set<HAPType> = [
        HAPType.Service.accessoryInformation, HAPType.Service.protocolInformation, HAPType.Service.pairing,
        HAPType.Service.serviceLabel, HAPType.Service.battery, HAPType.Service.lockManagement,
        HAPType.Service.firmwareUpdate, HAPType.Service.diagnostics, HAPType.Service.accessoryRuntimeInformation,
        HAPType.Service.powerManagement, HAPType.Service.dataStreamTransportManagement,
        HAPType.Service.transferTransportManagement, HAPType.Service.wiFiTransport, HAPType.Service.threadTransport,
        HAPType.Service.bridgeConfiguration, HAPType.Service.bridgingState, HAPType.Service.timeInformation,
        HAPType.Service.tunnel, HAPType.Service.cloudRelay, HAPType.Service.accessoryMetrics,
        HAPType.Service.assetUpdate,
    ]
}
