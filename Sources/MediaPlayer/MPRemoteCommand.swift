public import Foundation
import Synchronization

/// The result of a command.
/// - Since: iOS 9.1
public enum MPRemoteCommandHandlerStatus: Int, Sendable {
    /// The app did what was asked.
    /// - Since: iOS 9.1
    case success = 0
    /// The content doesn't exist.
    /// - Since: iOS 9.1
    case noSuchContent = 100
    /// Nothing plays to which the command could apply.
    /// - Since: iOS 9.1
    case noActionableNowPlayingItem = 110
    /// A device that is needed wasn't found.
    /// - Since: iOS 11.0
    case deviceNotFound = 120
    /// The app couldn't do what was asked.
    /// - Since: iOS 9.1
    case commandFailed = 200
}

/// A command that people give outside of the app, for example with a button on a receiver.
///
/// Handlers are called on the main queue, in the order in which they were added. All methods can be called on any thread.
/// - Since: iOS 7.1
open class MPRemoteCommand: NSObject, @unchecked Sendable {
    // @unchecked because the class is open. Its mutable state is guarded by a lock.

    /// A handler, in the form in which apps remove it.
    private final class Target: NSObject, @unchecked Sendable {
        // @unchecked because apps' handlers aren't Sendable. They are called on the main queue only.
        let handler: (MPRemoteCommandEvent) -> MPRemoteCommandHandlerStatus

        init(_ handler: @escaping (MPRemoteCommandEvent) -> MPRemoteCommandHandlerStatus) {
            self.handler = handler
        }
    }

    private struct State {
        var isEnabled = true
        var targets: [Target] = []
        var change: @Sendable () -> Void = {}
    }

    private let state = Mutex(State())

    override init() {}

    /// Whether the command is passed to handlers (default: `true`).
    /// - Since: iOS 7.1
    open var isEnabled: Bool {
        get { state.withLock { $0.isEnabled } }
        set { change { $0.isEnabled = newValue } }
    }

    /// Adds a handler.
    ///
    /// - Parameter handler: A closure that does what is asked, and returns the result. It is called on the main queue.
    /// - Returns: The handler, for ``removeTarget(_:)``.
    /// - Since: iOS 7.1
    open func addTarget(
        handler: @escaping (MPRemoteCommandEvent) -> MPRemoteCommandHandlerStatus
    ) -> Any {
        let target = Target(handler)
        change { $0.targets.append(target) }
        return target
    }

    /// Removes a handler, or all of them.
    ///
    /// - Parameter target: The result of ``addTarget(handler:)``, or `nil` for all.
    /// - Since: iOS 7.1
    open func removeTarget(_ target: Any?) {
        let removed = target as? Target
        change { state in
            state.targets.removeAll { target == nil || $0 === removed }
        }
    }

    /// Whether there are handlers that would be called.
    var hasHandlers: Bool { state.withLock { $0.isEnabled && !$0.targets.isEmpty } }

    /// Sets the closure that is called when handlers have changed.
    func setObserver(_ change: @escaping @Sendable () -> Void) {
        state.withLock { $0.change = change }
    }

    private func change(_ body: (inout State) -> Void) {
        let change = state.withLock { state in
            body(&state)
            return state.change
        }
        change()
    }

    /// Calls the handlers, on the main queue. Returns the first result that isn't success.
    ///
    /// A command that is disabled or has no handler fails.
    func perform(_ event: MPRemoteCommandEvent) -> MPRemoteCommandHandlerStatus {
        let targets = state.withLock { $0.isEnabled ? $0.targets : [] }
        guard !targets.isEmpty else { return .commandFailed }
        let results = targets.map { $0.handler(event) }
        return results.first { $0 != .success } ?? .success
    }
}

/// A command that was given. It never changes.
/// - Since: iOS 7.1
open class MPRemoteCommandEvent: NSObject, @unchecked Sendable {
    // @unchecked because the class is open. Its stored properties are immutable.

    /// The command.
    /// - Since: iOS 7.1
    public let command: MPRemoteCommand
    /// The time of the command, in seconds since the system started.
    /// - Since: iOS 7.1
    public let timestamp: TimeInterval

    init(_ command: MPRemoteCommand) {
        self.command = command
        timestamp = ProcessInfo.processInfo.systemUptime
    }
}

/// The beginning or the end of fast playback.
/// - Since: iOS 7.1
public enum MPSeekCommandEventType: UInt, Sendable {
    /// Fast playback begins.
    /// - Since: iOS 7.1
    case beginSeeking = 0
    /// Fast playback ends.
    /// - Since: iOS 7.1
    case endSeeking = 1
}

/// A command that begins or ends fast playback.
/// - Since: iOS 7.1
public final class MPSeekCommandEvent: MPRemoteCommandEvent, @unchecked Sendable {
    // @unchecked as its superclass.

    /// Whether it begins or ends.
    /// - Since: iOS 7.1
    public let type: MPSeekCommandEventType

    init(_ command: MPRemoteCommand, _ type: MPSeekCommandEventType) {
        self.type = type
        super.init(command)
    }
}
