import Dispatch
import Foundation
import Synchronization

/// Waits for the signal that ends a service: SIGINT (Ctrl-C) or SIGTERM.
///
/// From its making on the first of them does not kill the process; a further one, while the end takes its time, does. One
/// Ctrl-C may arrive twice, from the terminal and by a program in between, so the further one counts after a moment only.
final class ShutdownSignal: Sendable {
    // A class, because the signals of a process are one thing.

    private static let numbers = [SIGINT, SIGTERM]
    private static let moment = DispatchTimeInterval.seconds(2)

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
                DispatchQueue.global().asyncAfter(deadline: .now() + Self.moment) {
                    for number in Self.numbers { signal(number, SIG_DFL) }
                }
            }
            source.resume()
            sources.append(source)
        }
        self.sources = Mutex(sources)
    }

    /// Returns when a signal came, or the task was cancelled.
    func wait() async {
        for await _ in signals { return }
    }
}
