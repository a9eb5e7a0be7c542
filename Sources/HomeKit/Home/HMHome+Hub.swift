extension HMHome {
    /// The state of the hub that stores the home.
    ///
    /// On Apple's systems a home can work without a hub. Here there always is one, and calls fail while it is
    /// disconnected.
    /// - Since: iOS 11.0
    public var homeHubState: HMHomeHubState {
        if homeReference.isGone { return .notAvailable }
        return homeReference.context.withObjects { $0.isConnected } ? .connected : .disconnected
    }

    /// Always empty, because Matter is not supported.
    /// - Since: iOS 16.1
    public var matterControllerID: String { "" }
}
