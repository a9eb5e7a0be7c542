internal import AirPlay
package import AirPlayNetwork

/// A trial of whether a receiver lets the user's apps in. If it needs a PIN, the apps are paired with it.
package struct ReceiverAdmission: Sendable {
    /// The result of a trial.
    package enum Outcome: Hashable, Sendable {
        /// The receiver lets the apps in.
        case admitted
        /// The receiver plays another sender's audio now. What it needs was accepted, as far as it has asked.
        case busy
        /// The receiver can't be reached now. The password wasn't tried, and no PIN is needed.
        case unreachable
    }

    /// An error of a trial.
    package enum Failure: Error, Hashable, Sendable {
        /// The file with the pairings can't be used.
        case pairings(AirPlayPairingFile.Failure)
        /// The receiver refuses, or can't be reached.
        case receiver(AirPlayNetworkError)
    }

    private let file: RouteFile
    private let receiver: RouteChoice.Receiver
    private let found: FoundReceiver?
    /// The password, or `nil` if there is none.
    package var password: String?

    /// Creates a trial.
    ///
    /// - Parameters:
    ///   - file: The file with the user's choice, beside which the pairings are.
    ///   - receiver: The receiver.
    ///   - found: The receiver on the network, or `nil` if it is named by its host.
    package init(_ file: RouteFile, _ receiver: RouteChoice.Receiver, found: FoundReceiver?) {
        (self.file, self.receiver, self.found) = (file, receiver, found)
    }

    /// Sets a stream up and ends it, if the receiver may refuse it.
    ///
    /// - Parameters:
    ///   - pin: A closure that returns the PIN that the receiver shows.
    ///   - problem: A closure that is called if the pairing can't be kept.
    /// - Throws: ``Failure``.
    package func run(
        pin: @escaping SenderPairings.PIN,
        problem: @escaping @Sendable (AirPlayPairingFile.Failure) -> Void
    ) async throws(Failure) -> Outcome {
        guard let configuration = try configuration(pin: pin, problem: problem) else { return .admitted }
        let sender = AirPlaySender(configuration, source: { [] }, event: { _ in })
        do throws(AirPlayNetworkError) {
            try await sender.connect()
            try await sender.prepare()
        } catch {
            await sender.stop()
            switch error {
            case .failed(.receiverBusy): return .busy
            case .unreachable where configuration.access?.kind != .full: return .unreachable
            default: throw .receiver(error)
            }
        }
        await sender.stop()
        return .admitted
    }

    /// Returns the parameters of a stream that the receiver may refuse, or `nil` if it lets everyone in.
    private func configuration(
        pin: @escaping SenderPairings.PIN,
        problem: @escaping @Sendable (AirPlayPairingFile.Failure) -> Void
    ) throws(Failure) -> AirPlaySender.Configuration? {
        guard file.makeFolder() else { throw .pairings(.unwritable(file.path)) }
        let pairings: AirPlayPairingFile
        do throws(AirPlayPairingFile.Failure) {
            pairings = try AirPlayPairingFile(sendersAt: file.pairingsPath)
        } catch {
            throw .pairings(error)
        }
        var selection = StreamSelection(SenderPairings(pairings, pin: pin, problem: problem))
        selection.version = receiver.version
        selection.needsPairing = receiver.isPaired == true
        selection.password = password
        guard let found else {
            guard let host = receiver.host, let port = receiver.port, selection.needsPairing || password != nil else {
                return nil
            }
            return selection.configuration(host: host, port: port, named: receiver.name)
        }
        do throws(AirPlayNetworkError) {
            let configuration = try selection.configuration(of: found)
            return configuration.access?.kind == .full || found.record.needsPassword ? configuration : nil
        } catch {
            throw .receiver(error)
        }
    }
}
