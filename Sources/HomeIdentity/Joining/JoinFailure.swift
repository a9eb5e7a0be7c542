/// Why a device doesn't join.
package struct JoinFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of failures, on the wire. A hub of a later version may have others.
    package struct Code: RawRepresentable, Hashable, Sendable, Codable {
        package let rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The digits or the secret of the link are wrong.
        package static let wrongInvitationCode = Code(rawValue: "wrongInvitationCode")
        /// The invitation was used or withdrawn, is too old, or had too many wrong tries.
        package static let invitationEnded = Code(rawValue: "invitationEnded")
        /// The device's address has tried too often.
        package static let tooManyRequests = Code(rawValue: "tooManyRequests")
        /// The hub has other exchanges to compute.
        package static let busy = Code(rawValue: "busy")
        /// The person has as many devices as possible.
        package static let tooManyDevices = Code(rawValue: "tooManyDevices")
        /// The invitation is for a hub and a device joins, or the other way round.
        package static let wrongKind = Code(rawValue: "wrongInvitationKind")
        /// The homes have as many hubs as possible.
        package static let tooManyHubs = Code(rawValue: "tooManyHubs")
        /// A message has the wrong form, or comes at the wrong time.
        package static let malformedMessage = Code(rawValue: "malformedMessage")
        /// The other side speaks another version.
        package static let unsupportedVersion = Code(rawValue: "unsupportedVersion")
        /// The other side isn't the hub of the link, or doesn't know the secret.
        package static let wrongHub = Code(rawValue: "wrongHub")
        /// The hub can't be reached.
        package static let unreachable = Code(rawValue: "unreachable")
        /// The connection was cut when the hub had the device's proof. It may have let the device in.
        package static let unanswered = Code(rawValue: "unanswered")
        /// The hub has failed.
        package static let internalError = Code(rawValue: "internalError")
    }

    /// The kind.
    package var code: Code
    /// What is wrong and what to do, for people.
    package var message: String
    /// The number of tries left, of a wrong code.
    package var triesLeft: Int?
    /// After how many seconds to try again.
    package var retryAfter: Int?

    /// Creates a failure.
    package init(_ code: Code, _ message: String, triesLeft: Int? = nil, retryAfter: Int? = nil) {
        self.code = code
        self.message = message
        self.triesLeft = triesLeft
        self.retryAfter = retryAfter
    }

    /// The message.
    package var description: String { message }
}

extension JoinFailure {
    /// Returns the failure of a wrong code or link.
    package static func wrongInvitationCode(triesLeft: Int) -> JoinFailure {
        let rest =
            switch triesLeft {
            case ...0: "No tries are left: ask for another invitation."
            case 1: "1 try is left."
            default: "\(triesLeft) tries are left."
            }
        return JoinFailure(.wrongInvitationCode, "The code is wrong. \(rest)", triesLeft: max(0, triesLeft))
    }

    /// The failure of an invitation that isn't open.
    package static let invitationEnded = JoinFailure(
        .invitationEnded,
        "This invitation was used, withdrawn or is too old. Ask for another one."
    )

    /// The failure of an exchange that isn't computed because others are.
    package static let busy = JoinFailure(
        .busy,
        "Other devices are joining the hub. Try again in 3 seconds.",
        retryAfter: 3
    )

    static let malformedMessage = JoinFailure(
        .malformedMessage,
        "The message has the wrong form or comes at the wrong time."
    )

    /// The failure of a hub with another key than the link names, or that doesn't know the secret.
    package static let wrongHub = JoinFailure(
        .wrongHub,
        "The other side doesn't know the invitation, so it isn't the hub that invites. Ask for another invitation."
    )
}
