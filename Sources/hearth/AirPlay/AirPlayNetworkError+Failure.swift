import AirPlay
import AirPlayNetwork

extension AirPlayNetworkError {
    /// The error for the user.
    func failure(receiver: String) -> CommandFailure {
        switch self {
        case .portRefused(let reason): CommandFailure("portRefused", "A port can't be opened: \(reason).")
        case .notFound(let name):
            CommandFailure(
                "receiverNotFound",
                "No receiver “\(name)” was found. List them with “hearth airplay list”, or use --host and --port."
            )
        case .encryptionRequired:
            CommandFailure("encryptionRequired", "\(receiver) requires encryption that needs Apple's keys.")
        case .unreachable(let place): CommandFailure("unreachable", "Nothing answers at \(place).")
        case .disconnected: CommandFailure("disconnected", "\(receiver) closed the connection or stopped answering.")
        case .failed(let failure):
            switch failure {
            case .receiverBusy: CommandFailure("receiverBusy", "\(receiver) plays another sender's audio.")
            case .passwordRequired: CommandFailure("passwordRequired", "\(receiver) needs a password. Use --password.")
            case .wrongPassword: CommandFailure("wrongPassword", "\(receiver) refused the password.")
            case .refused(let method, let status):
                CommandFailure("refused", "\(receiver) refused \(method) with status \(status).")
            case .pairingRequired:
                CommandFailure("pairingRequired", "\(receiver) needs a PIN. Use --pin, or enter the one that it shows.")
            case .wrongPIN: CommandFailure("wrongPIN", "\(receiver) refused the PIN.")
            case .tooManyAttempts:
                CommandFailure("tooManyAttempts", "\(receiver) refuses PINs for now. Wait, or restart it.")
            case .pairingFailed(let reason): CommandFailure("pairingFailed", "\(receiver) can't be paired: \(reason).")
            case .missingPorts: CommandFailure("invalidResponse", "\(receiver) named no ports.")
            case .unexpectedResponse: CommandFailure("invalidResponse", "\(receiver) answered without a question.")
            }
        }
    }
}
