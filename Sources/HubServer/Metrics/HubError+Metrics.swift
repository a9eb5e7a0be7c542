package import HubAPI

extension HubError.Code {
    /// Metrics can't be served at the given address.
    package static let metricsRefused = Self(rawValue: "metricsRefused")
}
