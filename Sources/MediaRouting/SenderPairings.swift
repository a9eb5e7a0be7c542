package import AirPlay
package import AirPlayNetwork
internal import HAP
internal import Synchronization

/// The identity of the sender and its pairings, which all streams of a program share.
package final class SenderPairings: Sendable {
    // This is a class because the streams to several receivers add to one list.

    /// Returns the PIN that a receiver shows, or `nil` if the user doesn't enter one.
    package typealias PIN = @Sendable (_ receiver: String) async -> PairingPIN?

    private let file: AirPlayPairingFile
    private let pin: PIN
    private let problem: @Sendable (AirPlayPairingFile.Failure) -> Void
    private let stored: Mutex<[PairedPeer]>

    /// Creates a list.
    ///
    /// - Parameters:
    ///   - file: The file that keeps the pairings.
    ///   - pin: A closure that returns the PIN of a receiver.
    ///   - problem: A closure that is called if a pairing can't be kept.
    package init(
        _ file: AirPlayPairingFile,
        pin: @escaping PIN = { _ in nil },
        problem: @escaping @Sendable (AirPlayPairingFile.Failure) -> Void = { _ in }
    ) {
        self.file = file
        self.pin = pin
        self.problem = problem
        stored = Mutex(file.pairings)
    }

    /// Whether the receivers know this sender the next time.
    package var areKept: Bool { file.isKept }

    /// Returns the means of pairing with a receiver.
    package func access(_ kind: SenderPairing.Kind, receiver: String) -> SenderAccess {
        SenderAccess(
            kind,
            identity: ControllerIdentity(pairingID: file.id, keyPair: file.keyPair),
            peers: stored.withLock { $0 }
        ) { [pin] in
            await pin(receiver)
        } keep: { [self] in
            keep($0)
        }
    }

    private func keep(_ peer: PairedPeer) {
        do throws(AirPlayPairingFile.Failure) {
            try stored.withLock { pairings throws(AirPlayPairingFile.Failure) in
                // Another program of the user may have paired meanwhile.
                let others = (file.isKept ? file.currentPairings : pairings).filter { $0.id != peer.id }
                pairings = others.suffix(AirPlayPairingFile.receiverLimit - 1) + [peer]
                try file.store(pairings)
            }
        } catch {
            problem(error)
        }
    }
}
