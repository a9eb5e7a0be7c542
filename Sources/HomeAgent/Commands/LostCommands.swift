import Foundation
import HubAPI

/// The commands of a device whose outcome isn't known. It is a value without I/O.
///
/// A client asks again under the same key, on its next session. If the answer hasn't come within
/// ``AgentLimits/answerTime``, people are told that it isn't known whether it was done, and the agent itself asks as soon as
/// the hub is in reach.
struct LostCommands: Sendable {
    private struct Entry {
        var command: LostCommand
        var isBeingAsked = false
    }

    private var entries: [UUID: Entry] = [:]
    /// The keys in their order.
    private var order: [UUID] = []

    /// The commands, in the order in which they were lost.
    var all: [LostCommand] { order.compactMap { entries[$0]?.command } }

    /// Returns the command with a key; `nil` if its outcome is known, or if it was never lost.
    subscript(key: UUID) -> LostCommand? { entries[key]?.command }

    /// Adds a command. The oldest one is forgotten if there are too many.
    ///
    /// - Returns: Whether it is new.
    mutating func add(_ command: LostCommand) -> Bool {
        guard let key = command.request.key, entries[key] == nil else { return false }
        entries[key] = Entry(command: command)
        order.append(key)
        if order.count > AgentLimits.lostCommands { entries[order.removeFirst()] = nil }
        return true
    }

    /// Forgets a command, because its outcome is known.
    mutating func settle(_ key: UUID) {
        entries[key] = nil
        order.removeAll { $0 == key }
    }

    /// Records that people were told that the outcome isn't known. A command that isn't asked about again is forgotten.
    ///
    /// - Returns: The command; `nil` if its outcome is known, or if they were told before.
    mutating func tell(_ key: UUID) -> LostCommand? {
        guard let command = entries[key]?.command, !command.isTold else { return nil }
        entries[key]?.command.isTold = true
        if !command.isRelayed { settle(key) }
        return command
    }

    /// Returns the commands to ask a hub about, which is in reach. ``release(_:)`` or ``settle(_:)`` must follow.
    mutating func take(for hub: UUID) -> [LostCommand] {
        let keys = order.filter { key in
            entries[key].map { $0.command.hub == hub && $0.command.isTold && !$0.isBeingAsked } ?? false
        }
        for key in keys { entries[key]?.isBeingAsked = true }
        return keys.compactMap { entries[$0]?.command }
    }

    /// Records that the hub couldn't be asked.
    mutating func release(_ key: UUID) { entries[key]?.isBeingAsked = false }

    /// Forgets the commands to a hub that the device has left.
    mutating func forget(_ hub: UUID) {
        for key in order where entries[key]?.command.hub == hub { settle(key) }
    }
}
