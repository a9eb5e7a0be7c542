extension HMHome {
    /// Whether the hub that keeps the home answers.
    ///
    /// On Apple's systems a home may do without a hub. Here there is always one, and while it does not answer every call
    /// fails.
    /// - Since: iOS 11.0
    public var homeHubState: HMHomeHubState {
        if view.isGone { return .notAvailable }
        return view.context.withObjects { $0.isConnected } ? .connected : .disconnected
    }
}
