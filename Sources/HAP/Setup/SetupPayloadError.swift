/// Why a text is no setup payload.
public enum SetupPayloadError: Error, Hashable, Sendable {
    /// It does not begin with `X-HM://`.
    case wrongScheme
    /// There are not exactly 13 characters from 0-9 and A-Z after `X-HM://`.
    case wrongForm
    /// The version is not 0: made for a protocol that this library does not know.
    case unsupportedVersion
    /// The setup code inside is not allowed.
    case invalidCode(SetupCodeError)
}

extension SetupPayloadError: CustomStringConvertible {
    /// What is wrong.
    public var description: String {
        switch self {
        case .wrongScheme: "A setup payload begins with X-HM://"
        case .wrongForm: "A setup payload has 13 letters and digits after X-HM://"
        case .unsupportedVersion: "The setup payload is of a version that is not supported"
        case .invalidCode(let error): "\(error)"
        }
    }
}
