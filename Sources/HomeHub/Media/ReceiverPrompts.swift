import AirPlay
import AirPlayNetwork
import HomeModel
import HubAPI
import MediaRouting
import Synchronization

/// The questions that the hub asks its user when a receiver that was chosen needs a password, or shows a PIN.
struct ReceiverPrompts: Sendable {
    /// The maximum number of wrong answers. Receivers refuse PINs for a while after some more.
    static let attemptLimit = 3

    let file: RouteFile
    let questions: QuestionManager
    /// The session of the client that chooses.
    let session: HubSession
    /// The client's reference for the questions.
    let reference: String?

    /// Makes sure that a receiver lets the user's apps in, and pairs with it if that needs a PIN.
    ///
    /// - Parameters:
    ///   - receiver: The receiver.
    ///   - name: The name or ID by which it is chosen.
    ///   - password: The password that the client gives, which is tried once.
    /// - Returns: A password to keep, or `nil` if there is no new one.
    /// - Throws: ``HubError/Code/cancelled`` if a question is declined or not answered,
    ///   ``HubError/Code/wrongReceiverPassword`` or ``HubError/Code/wrongPIN`` if the receiver refuses the last answer, or
    ///   ``HubError/Code/receiverFailed`` if it can't be used.
    func admit(
        _ receiver: FoundReceiver,
        as name: String,
        password: String?
    ) async throws(HubError) -> String? {
        var current = password ?? file.choice.password(of: name)
        var newPassword = password
        var needsPassword = receiver.record.needsPassword
        var wrongAnswers = 0
        while true {
            let triesLeft = wrongAnswers > 0 ? Self.attemptLimit - wrongAnswers : nil
            if needsPassword, current == nil {
                let answer = try await askForPassword(of: receiver, triesLeft)
                (current, newPassword) = (answer, answer)
            }
            guard let refusal = try await attempt(receiver, as: name, password: current, triesLeft) else {
                return newPassword
            }
            let isPassword = refusal.code == .wrongReceiverPassword
            // One that the client gives isn't asked for again. One that was kept may be an old one.
            guard !isPassword || password == nil else { throw refusal }
            if !isPassword || newPassword != nil { wrongAnswers += 1 }
            guard wrongAnswers < Self.attemptLimit else { throw refusal }
            if isPassword { (current, needsPassword) = (nil, true) }
        }
    }

    /// Tries once. Returns the refusal of a password or a PIN, or `nil` if the receiver lets the apps in.
    private func attempt(
        _ receiver: FoundReceiver,
        as name: String,
        password: String?,
        _ triesLeft: Int?
    ) async throws(HubError) -> HubError? {
        let pin = PINPrompt()
        var admission = ReceiverAdmission(file, RouteChoice.Receiver(name: name), found: receiver)
        admission.password = password
        do throws(ReceiverAdmission.Failure) {
            _ = try await admission.run { _ in
                await pin.answer { () async throws(HubError) in try await askForPIN(of: receiver, triesLeft) }
            } problem: { _ in
                pin.isUnkept.withLock { $0 = true }
            }
        } catch {
            // The receiver may have ended the connection while the question was open.
            pin.cancel()
            if let declined = pin.refusal { throw declined }
            return try refusal(error, Self.shown(receiver))
        }
        if pin.isUnkept.withLock({ $0 }) { throw unstorable(file.pairingsPath) }
        return nil
    }

    /// Returns the refusal of a password or a PIN, and throws other errors.
    private func refusal(_ failure: ReceiverAdmission.Failure, _ name: String) throws(HubError) -> HubError {
        switch failure {
        case .pairings(.invalid(let path)), .pairings(.unreadable(let path)):
            let advice = "Remove the file, and pair again."
            throw HubError(.storeFailure, "The pairings in \(path) can't be read. \(advice)")
        case .pairings(.unwritable(let path)): throw unstorable(path)
        case .receiver(.failed(.wrongPassword)), .receiver(.failed(.passwordRequired)):
            return HubError(.wrongReceiverPassword, "“\(name)” refused the password.")
        case .receiver(.failed(.wrongPIN)): return HubError(.wrongPIN, "“\(name)” refused the PIN.")
        case .receiver(.failed(.tooManyAttempts)):
            throw HubError(.receiverFailed, "“\(name)” refuses PINs for now. Wait, or restart it.")
        case .receiver(.encryptionRequired):
            throw HubError(.receiverFailed, "“\(name)” requires encryption that needs Apple's keys.")
        case .receiver(.failed(.pairingFailed(let reason))):
            throw HubError(.receiverFailed, "“\(name)” can't be paired: \(reason).")
        case .receiver(.failed(.refused(let method, let status))):
            throw HubError(.receiverFailed, "“\(name)” refused \(method) with status \(status).")
        case .receiver:
            throw HubError(.receiverFailed, "“\(name)” can't be reached, or stopped answering. Try again.")
        }
    }

    private func unstorable(_ path: String) -> HubError {
        HubError(.storeFailure, "\(path) can't be written. Check its permissions.")
    }

    // MARK: Questions

    private static func shown(_ receiver: FoundReceiver) -> String {
        receiver.record.name.sanitized(maximumLength: HomeLimits.nameLength)
    }

    private func askForPassword(of receiver: FoundReceiver, _ triesLeft: Int?) async throws(HubError) -> String {
        let draft = QuestionDraft(
            kind: .receiverPassword,
            text: "What is the password of “\(Self.shown(receiver))”?",
            audience: .person(session.user),
            fields: [QuestionField("password", isSecret: true)],
            reference: reference,
            triesLeft: triesLeft
        )
        return try await questions.answer(to: draft, for: session) { (answer) throws(HubError) in
            guard MediaManager.isText(answer) else {
                throw HubError(.invalidAnswer, "A password has 1 to \(MediaManager.textLimit) bytes.")
            }
        }
    }

    private func askForPIN(of receiver: FoundReceiver, _ triesLeft: Int?) async throws(HubError) -> PairingPIN? {
        let draft = QuestionDraft(
            kind: .receiverPIN,
            text: "Which PIN does “\(Self.shown(receiver))” show?",
            audience: .person(session.user),
            fields: [QuestionField("pin")],
            reference: reference,
            triesLeft: triesLeft
        )
        let answer = try await questions.answer(to: draft, for: session) { (answer) throws(HubError) in
            guard PairingPIN(answer) != nil else { throw HubError(.invalidAnswer, "A PIN has four digits.") }
        }
        return PairingPIN(answer)
    }
}

/// The question for a PIN while a connection to the receiver is open. This is a class because the connection's closure and
/// its owner share it; its state is guarded by locks.
private final class PINPrompt: Sendable {
    private struct State {
        var question: Task<PairingPIN?, any Error>?
        var refusal: HubError?
        var isCancelled = false
    }

    private let state = Mutex(State())
    /// Whether the pairing couldn't be kept.
    let isUnkept = Mutex(false)

    /// The reason for which there is no answer, unless the connection ended first.
    var refusal: HubError? { state.withLock { $0.refusal } }

    /// Asks. Returns `nil` if there is no answer.
    func answer(_ ask: @escaping @Sendable () async throws(HubError) -> PairingPIN?) async -> PairingPIN? {
        let question = state.withLock { state -> Task<PairingPIN?, any Error>? in
            guard !state.isCancelled else { return nil }
            let question = Task { try await ask() }
            state.question = question
            return question
        }
        do {
            return try await question?.value
        } catch {
            state.withLock { if !$0.isCancelled { $0.refusal = error as? HubError } }
            return nil
        }
    }

    /// Closes the question.
    func cancel() {
        state.withLock { state in
            state.isCancelled = true
            state.question?.cancel()
        }
    }
}
