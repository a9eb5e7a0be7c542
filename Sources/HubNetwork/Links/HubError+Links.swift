package import HubAPI

extension HubError {
    /// The error that a removed device gets.
    package static let removedDevice = HubError(
        Code(rawValue: "deviceRemoved"),
        "This device was removed from the hub. Ask for an invitation to add it again."
    )
}

extension HubError.Code {
    /// The hub can't listen on the network at the given address.
    package static let networkRefused = Self(rawValue: "networkRefused")
}
