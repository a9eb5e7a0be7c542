import HAP
import Synchronization

/// What a person at the home's accessories answers when the hub asks for a set-up code.
final class SetupCodeResponder: Sendable {
    // A class, because the home and its client share it.

    private struct State {
        var codes: [String: SetupCode] = [:]
        var answer = TestHome.SetupCodeAnswer.right
    }

    private let state = Mutex(State())

    /// Notes what is printed on an accessory.
    func note(_ code: SetupCode, on deviceID: DeviceID) {
        state.withLock { $0.codes["\(deviceID)"] = code }
    }

    /// What the person does from now on.
    var answer: TestHome.SetupCodeAnswer {
        get { state.withLock { $0.answer } }
        set { state.withLock { $0.answer = newValue } }
    }

    /// The answer about an accessory; `nil` to give none, which ends the question.
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
    /// What the person at the home does when the system asks for the set-up code of an accessory.
    public enum SetupCodeAnswer: Hashable, Sendable {
        /// Types in the code that is printed on the accessory.
        case right
        /// Types in this: `123-45-678`.
        case code(String)
        /// Cancels.
        case none
    }

    /// What the person at the home does when the system asks for the set-up code of an accessory; the right thing unless
    /// set.
    public var setupCodeAnswer: SetupCodeAnswer {
        get { codes.answer }
        set { codes.answer = newValue }
    }
}
