package import HomeIdentity
package import HubAPI
import LocalRPC

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

extension HubError {
    /// Creates an error from a failure to join.
    package init(_ failure: JoinFailure) {
        let code: HubError.Code =
            switch failure.code {
            case .wrongInvitationCode: .wrongInvitationCode
            case .invitationEnded: .invitationEnded
            case .tooManyRequests, .busy: .tooManyRequests
            case .tooManyDevices: .tooManyDevices
            case .unsupportedVersion: .versionMismatch
            case .wrongHub: .untrustedHub
            case .unreachable, .unanswered: .noHub
            case .malformedMessage: .malformedMessage
            case .wrongKind, .tooManyHubs: HubError.Code(rawValue: failure.code.rawValue)
            default: .hubFailure
            }
        self.init(code, failure.message)
    }
}
