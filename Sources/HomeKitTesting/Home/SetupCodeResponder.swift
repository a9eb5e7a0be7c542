import HAP
import Synchronization

/// A responder that answers the hub's questions for setup codes in place of the user.
final class SetupCodeResponder: Sendable {
    // This is a class because the home and its client share it.

    private struct State {
        var codes: [String: SetupCode] = [:]
        var answer = TestHome.SetupCodeAnswer.right
    }

    private let state = Mutex(State())

    /// Registers the setup code printed on an accessory.
    func register(_ code: SetupCode, on deviceID: DeviceID) {
        state.withLock { $0.codes["\(deviceID)"] = code }
    }

    /// The kind of answer to give from now on.
    var answer: TestHome.SetupCodeAnswer {
        get { state.withLock { $0.answer } }
        set { state.withLock { $0.answer = newValue } }
    }

    /// Returns the answer for an accessory, or `nil` to decline the question.
    func answer(about deviceID: String?) -> String? {
        state.withLock { state in
            switch state.answer {
            case .right: deviceID.flatMap { state.codes[$0]?.dashed }
            case .code(let code): code
            case .none: nil
            }
        }
    }
}

extension TestHome {
    /// The user's answer when the hub asks for an accessory's setup code.
    public enum SetupCodeAnswer: Hashable, Sendable {
        /// Enters the setup code printed on the accessory.
        case right
        /// Enters this code, such as `123-45-678`.
        case code(String)
        /// Cancels.
        case none
    }

    /// The user's answer when the hub asks for an accessory's setup code (default: ``SetupCodeAnswer/right``).
    public var setupCodeAnswer: SetupCodeAnswer {
        get { codes.answer }
        set { codes.answer = newValue }
    }
}
