internal import AirPlay
internal import Dispatch
internal import NIOCore
internal import Synchronization

/// The queue on which the arithmetic of pairing runs, which would hold up audio on an event loop. One message is worked on
/// at a time.
enum PairingQueue {
    private static let queue = DispatchQueue(label: "pairing")

    /// Runs a closure on the queue, and another one with its result on an event loop.
    static func run<Result: Sendable>(
        thenOn loop: any EventLoop,
        _ work: @escaping @Sendable () -> Result,
        then completion: @escaping @Sendable (Result) -> Void
    ) {
        queue.async {
            let result = work()
            loop.execute { completion(result) }
        }
    }
}

/// A receiver's pairings, which the queue changes.
///
/// This is a class because the receiver and the queue share it.
final class SharedPairings: Sendable {
    private let pairings: Mutex<ReceiverPairings>

    init(_ pairings: ReceiverPairings) {
        self.pairings = Mutex(pairings)
    }

    /// Answers a pairing request. Returns the outcome and the pairings.
    func handle(_ request: RTSPRequest, in session: inout ReceiverSession) -> (
        ReceiverSession.Outcome, ReceiverPairings
    ) {
        pairings.withLock { pairings in
            var random = SystemRandomNumberGenerator()
            let outcome = session.handle(request, isBusy: false, pairings: &pairings, at: .now, using: &random)
            return (outcome, pairings)
        }
    }
}
