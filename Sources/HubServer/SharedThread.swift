import LocalRPCSockets
import NIOCore
import NIOPosix

/// The thread that all connections share in a hub that is a program of its own.
///
/// A hub waits most of the time. With one event loop, a value passes from an app to its accessory and back without a change
/// of threads, which would cost more than all other work on it. What takes long runs on other threads.
package struct SharedThread: Sendable {
    /// Runs brief tasks on the thread.
    package let executor: any TaskExecutor

    /// Makes all connections of the program share one thread. Call it before anything connects.
    package static func begin() -> SharedThread {
        NIOSingletons.groupLoopCountSuggestion = 1
        return SharedThread(executor: EventLoopExecutor(NIOSingletons.posixEventLoopGroup.any()))
    }
}
