import Foundation
import GRDB
import HAPCatalog
import HomeModel
import HubAPI

/// Selects the entries that explain the last change of an object.
enum Explanation {
    /// The maximum number of entries of a chain, in case they refer to each other in a circle.
    static let depth = 16
    /// The number of an accessory's newest entries among which the last change is found.
    private static let candidates = 16
    /// The time in which a report of an accessory, such as the state of a door, counts as the result of a command.
    private static let reaction: TimeInterval = 120

    /// Returns the entry of an object's last change, then its causes, each caused by the next.
    static func entries(about object: UUID, in home: UUID, _ database: Database) throws -> [JournalEntry] {
        func latest(_ kinds: [JournalKind]) throws -> EntryCandidates {
            let rows = try kinds.flatMap {
                try EntryTable.latest($0, of: object, in: home, limit: candidates, database)
            }
            return EntryCandidates(rows.sorted { $0.number > $1.number }.prefix(candidates))
        }
        let changes = try latest([.value, .failedWrite])
        guard let last = try decisive(changes) ?? latest([.trigger, .scene]).first(where: { _ in true }) else {
            return []
        }
        var chain = [last]
        while chain.count < depth, let parent = chain.last?.parent {
            guard let cause = try EntryTable.entry(parent, in: home, database),
                !chain.contains(where: { $0.id == cause.id })
            else { break }
            chain.append(cause)
        }
        return chain
    }

    /// Returns the entry among an accessory's newest, newest first, that a user means by its last change.
    ///
    /// A write that repeated the value it found doesn't count, unless there is nothing else. A state that only the accessory
    /// itself sets, such as that a door is open, is the result of a command that was sent shortly before.
    private static func decisive(_ entries: EntryCandidates) -> JournalEntry? {
        guard let newest = entries.first(where: \.isChange) else { return entries.first { _ in true } }
        guard newest.isReport else {
            // Of several values that one run wrote, the accessory's power or position is what people ask about.
            guard let run = newest.parent else { return newest }
            return entries.first(causedBy: run) { $0.isChange && $0.isMain } ?? newest
        }
        let command = entries.first { $0.isChange && $0.isCommand }
        guard let command, newest.time.timeIntervalSince(command.time) <= reaction else { return newest }
        return command
    }
}

extension JournalEntry {
    /// Whether something changed, or should have changed.
    fileprivate var isChange: Bool {
        switch content {
        case .value(let value): value.isChange
        default: true
        }
    }

    /// Whether it is about what the accessory is for: whether it is on, or locked, or where it is.
    fileprivate var isMain: Bool {
        guard case .value(let value) = content else { return false }
        return Self.mainTypes.contains(value.type)
    }

    private static let mainTypes: Set<HAPType> = [
        HAPType.Characteristic.on, HAPType.Characteristic.active, HAPType.Characteristic.lockTargetState,
        HAPType.Characteristic.targetDoorState, HAPType.Characteristic.targetPosition,
        HAPType.Characteristic.securitySystemTargetState,
    ]

    /// Whether a user, an app, a scene or a trigger caused it.
    fileprivate var isCommand: Bool { cause.kind != .accessory && cause.kind != .hub }

    /// Whether it is a state that only the accessory itself sets.
    fileprivate var isReport: Bool {
        guard !isCommand, case .value(let value) = content else { return false }
        let permissions = CharacteristicDefinition.of(value.type)?.permissions
        return permissions.map { !$0.contains(.write) } ?? false
    }
}
