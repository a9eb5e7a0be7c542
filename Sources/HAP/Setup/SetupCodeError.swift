/// An error in a setup code. Its description never contains the code.
public enum SetupCodeError: Error, Hashable, Sendable {
    /// The code is not eight digits, either without dashes or as `ddd-dd-ddd`.
    case wrongForm
    /// The code is one of the twelve that are too easy to guess: all digits equal, `123-45-678`, `876-54-321`.
    case forbidden
}

extension SetupCodeError: CustomStringConvertible {
    /// The reason, and what to do.
    public var description: String {
        switch self {
        case .wrongForm: "A setup code has eight digits in the form ddd-dd-ddd"
        case .forbidden: "This setup code is not allowed because it is too easy to guess; choose a random one"
        }
    }
}
