import ExternalAccessory

final class NewAccessories: NSObject, EAWiFiUnconfiguredAccessoryBrowserDelegate {
    private var browser: EAWiFiUnconfiguredAccessoryBrowser?

    func start() {
        browser = EAWiFiUnconfiguredAccessoryBrowser(delegate: self, queue: .main)
        browser?.startSearchingForUnconfiguredAccessories(matching: nil)
    }

    func accessoryBrowser(
        _ browser: EAWiFiUnconfiguredAccessoryBrowser,
        didFindUnconfiguredAccessories accessories: Set<EAWiFiUnconfiguredAccessory>
    ) {
        guard let accessory = accessories.first else { return }
        browser.configureAccessory(accessory, withConfigurationUIOn: self)
    }

    func accessoryBrowser(
        _ browser: EAWiFiUnconfiguredAccessoryBrowser,
        didFinishConfiguringAccessory accessory: EAWiFiUnconfiguredAccessory,
        with status: EAWiFiUnconfiguredAccessoryConfigurationStatus
    ) {
        print("\(accessory.name): \(status)")
    }

    func accessoryBrowser(
        _ browser: EAWiFiUnconfiguredAccessoryBrowser,
        didUpdate state: EAWiFiUnconfiguredAccessoryBrowserState
    ) {}

    func accessoryBrowser(
        _ browser: EAWiFiUnconfiguredAccessoryBrowser,
        didRemoveUnconfiguredAccessories accessories: Set<EAWiFiUnconfiguredAccessory>
    ) {}
}
