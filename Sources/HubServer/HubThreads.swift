import NIOCore

/// The threads of a hub that runs as a program of its own.
package enum HubThreads {
    /// Makes all connections of the program share one event loop. Call it before anything connects.
    ///
    /// A hub waits most of the time. With one loop, a value passes from an app to its accessory and back without a change
    /// of threads, which would cost more than all other work on it. What takes long runs on other threads.
    package static func shareEventLoop() {
        NIOSingletons.groupLoopCountSuggestion = 1
    }
}
