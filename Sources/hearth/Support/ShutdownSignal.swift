import Dispatch
import Foundation
import Synchronization

/// Waits for SIGINT (Ctrl-C) or SIGTERM.
///
/// The first signal doesn't end the process. A second one does, if the shutdown takes long. It counts only after a
/// moment, because one Ctrl-C may arrive twice: from the terminal and from a program in between.
final class ShutdownSignal: Sendable {
    // This is a class because a process has only one set of signal handlers.

    private static let numbers = [SIGINT, SIGTERM]
    private static let gracePeriod = DispatchTimeInterval.seconds(2)

    private let sources: Mutex<[any DispatchSourceSignal]>
    private let signals: AsyncStream<Void>

    init() {
        let (signals, continuation) = AsyncStream.makeStream(of: Void.self)
        self.signals = signals
        var sources: [any DispatchSourceSignal] = []
        for number in Self.numbers {
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                continuation.yield()
                DispatchQueue.global().asyncAfter(deadline: .now() + Self.gracePeriod) {
                    for number in Self.numbers { signal(number, SIG_DFL) }
                }
            }
            source.resume()
            sources.append(source)
        }
        self.sources = Mutex(sources)
    }

    /// Waits until a signal arrives or the task is canceled.
    func wait() async {
        for await _ in signals { return }
    }
}
