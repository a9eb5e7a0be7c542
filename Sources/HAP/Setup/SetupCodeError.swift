/// Why a text or number is no setup code. It never repeats the code.
public enum SetupCodeError: Error, Hashable, Sendable {
    /// It is not eight digits, either alone or with dashes as in `ddd-dd-ddd`.
    case wrongForm
    /// It is one of the twelve that are too easy to guess: all digits equal, `123-45-678`, `876-54-321`.
    case forbidden
}

extension SetupCodeError: CustomStringConvertible {
    /// What is wrong and what to do.
    public var description: String {
        switch self {
        case .wrongForm: "A setup code has eight digits, written ddd-dd-ddd"
        case .forbidden: "This setup code is too easy to guess and not allowed; choose a random one"
        }
    }
}
