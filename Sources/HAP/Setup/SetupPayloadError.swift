/// An error in a setup payload.
public enum SetupPayloadError: Error, Hashable, Sendable {
    /// The text does not begin with `X-HM://`.
    case wrongScheme
    /// There are not exactly 13 characters from 0-9 and A-Z after `X-HM://`.
    case wrongForm
    /// The version is not 0.
    case unsupportedVersion
    /// The setup code in the payload is not allowed.
    case invalidCode(SetupCodeError)
}

extension SetupPayloadError: CustomStringConvertible {
    /// The reason.
    public var description: String {
        switch self {
        case .wrongScheme: "A setup payload begins with X-HM://"
        case .wrongForm: "A setup payload has 13 letters and digits after X-HM://"
        case .unsupportedVersion: "The version of the setup payload is not supported"
        case .invalidCode(let error): "\(error)"
        }
    }
}
