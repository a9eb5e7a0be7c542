import AirPlay
import AirPlayNetwork
import ArgumentParser
import Foundation
import HAP
import Synchronization

/// The protocol of a stream.
enum AirPlayVersion: EnumerableFlag {
    case airplay2
    case classic

    static func help(for value: AirPlayVersion) -> ArgumentHelp? {
        switch value {
        case .airplay2: "Use AirPlay 2: pairing and encryption (default: if the receiver advertises it)."
        case .classic: "Use the classic protocol without encryption (default with --host)."
        }
    }
}

/// The identity of the sender and its pairings, which all receivers of a command share.
final class SenderPairings: Sendable {
    // This is a class because the streams to several receivers add to one list.

    private let pin: PairingPIN?
    private let file: AirPlayPairingFile
    private let stored: Mutex<[PairedPeer]>

    /// Creates a list.
    ///
    /// - Parameters:
    ///   - pin: The PIN, or `nil` to ask for it.
    ///   - file: The file that keeps the pairings.
    init(pin: PairingPIN?, file: AirPlayPairingFile) {
        self.pin = pin
        self.file = file
        stored = Mutex(file.pairings)
    }

    /// Whether the user wants to pair, so that the receiver knows this sender the next time.
    var isWanted: Bool { pin != nil || file.isKept }

    /// Whether the user has given a PIN.
    var hasPIN: Bool { pin != nil }

    /// Returns the means of pairing with a receiver.
    func access(_ kind: SenderPairing.Kind, receiver: String) -> SenderAccess {
        SenderAccess(
            kind,
            identity: ControllerIdentity(pairingID: file.id, keyPair: file.keyPair),
            peers: stored.withLock { $0 }
        ) { [self] in
            if let pin { return pin }
            ProgramOutput.note("PIN that \(receiver) shows: ", terminator: "")
            return await Self.line().flatMap { PairingPIN($0.trimmingCharacters(in: .whitespaces)) }
        } keep: { [self] in
            keep($0)
        }
    }

    private func keep(_ peer: PairedPeer) {
        do {
            try stored.withLock { pairings in
                pairings = pairings.filter { $0.id != peer.id }.suffix(AirPlayPairingFile.receiverLimit - 1) + [peer]
                try file.store(pairings)
            }
        } catch {
            ProgramOutput.note("The pairing can't be kept: \((error as? CommandFailure)?.reason ?? "\(error)")")
        }
    }

    /// Reads a line of standard input, without blocking a task.
    private static func line() async -> String? {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: readLine()) }
        }
    }
}
