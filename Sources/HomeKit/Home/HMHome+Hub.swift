extension HMHome {
    /// The state of the hub that stores the home.
    ///
    /// On Apple's systems a home can work without a hub. Here there always is one, and calls fail while it is
    /// disconnected. On a person's own device, that is while the device is out of the hub's reach: the home then shows what
    /// was known last.
    /// - Since: iOS 11.0
    public var homeHubState: HMHomeHubState {
        if homeReference.isGone { return .notAvailable }
        let home = homeReference.home
        return homeReference.context.withObjects { $0.isHubConnected(home) } ? .connected : .disconnected
    }

    /// Always empty, because Matter is not supported.
    /// - Since: iOS 16.1
    public var matterControllerID: String { "" }
}
