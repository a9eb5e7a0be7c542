public import Foundation
import HomeModel
import HubAPI
import Synchronization

/// Actions that run together, in no particular order. Users know an action set as a scene, such as “Movie Night”.
///
/// Get action sets from an ``HMHome``, and run them with ``HMHome/executeActionSet(_:completionHandler:)``. Completion
/// handlers are called on the main queue. When one is called, the action set already reflects the change. Properties can
/// be read from any thread.
/// - Since: iOS 8.0
public final class HMActionSet: NSObject, Sendable {
    let homeReference: HomeReference
    private let objects = Mutex<[UUID: HMAction]>([:])

    init(_ id: UUID, _ homeReference: HomeReference) {
        uniqueIdentifier = id
        self.homeReference = homeReference
    }

    /// The action set's identity. It never changes.
    /// - Since: iOS 9.0
    public let uniqueIdentifier: UUID

    /// The action set's name. It is empty for an action set that a trigger owns.
    /// - Since: iOS 8.0
    public var name: String { read { $0.name } ?? "" }

    /// The kind of action set: ``HMActionSetTypeUserDefined``, or a kind that every home has one of, such as
    /// ``HMActionSetTypeSleep``.
    /// - Since: iOS 9.0
    public var actionSetType: String {
        read { $0.type.homeKitName } ?? HMActionSetTypeUserDefined
    }

    /// The actions. Those that write to a characteristic are `HMCharacteristicWriteAction<NSCopying>` objects. An action
    /// on a characteristic that its accessory currently lacks, for example after an update, is omitted until it is back.
    /// - Since: iOS 8.0
    public var actions: Set<HMAction> {
        let records = read { $0.actions } ?? []
        objects.withLock { objects in
            if objects.count > records.count {
                let ids = Set(records.map(\.id))
                objects = objects.filter { ids.contains($0.key) }
            }
        }
        return Set(records.compactMap { object(for: $0) })
    }

    /// Whether the action set is running.
    /// - Since: iOS 8.0
    public var isExecuting: Bool { run?.isRunning ?? false }

    /// When the action set was last run, by anyone; `nil` if it never was.
    /// - Since: iOS 10.0
    public var lastExecutionDate: Date? { run?.last }

    /// Renames the action set.
    ///
    /// Errors: ``HMError/Code/objectWithSimilarNameExistsInHome`` and the errors for invalid names,
    /// ``HMError/Code/operationNotSupported`` if a trigger owns the action set,
    /// ``HMError/Code/objectNotAssociatedToAnyHome`` if the action set is gone,
    /// ``HMError/Code/insufficientPrivileges`` for guests.
    /// - Since: iOS 8.0
    @preconcurrency
    public func updateName(
        _ name: String,
        completionHandler completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        homeReference.context.call(
            HubMethods.renameActionSet,
            try homeReference.rename(uniqueIdentifier, to: name),
            completion: completion
        )
    }

    /// Renames the action set; see the completion-handler form.
    /// - Since: iOS 8.0
    public func updateName(_ name: String) async throws {
        try await completing { updateName(name, completionHandler: $0) }
    }

    /// Adds an action. When the completion handler is called, the action is in ``actions``.
    ///
    /// Errors: ``HMError/Code/alreadyExists`` if the action set has the action or another one on the same
    /// characteristic, ``HMError/Code/actionInAnotherActionSet``, ``HMError/Code/readOnlyCharacteristic``, the errors of
    /// ``HMCharacteristic/writeValue(_:completionHandler:)`` for invalid values, ``HMError/Code/invalidClass`` for an
    /// ``HMAction`` that does nothing, ``HMError/Code/objectAssociatedToAnotherHome``,
    /// ``HMError/Code/objectNotAssociatedToAnyHome`` if the characteristic or the action set is gone,
    /// ``HMError/Code/insufficientPrivileges`` for guests.
    /// - Since: iOS 8.0
    @preconcurrency
    public func addAction(_ action: HMAction, completionHandler completion: @escaping @Sendable ((any Error)?) -> Void)
    {
        homeReference.context.call(HubMethods.addAction, try addition(of: action)) {
            [self] (reply: Result<AddedItem, HMError>) in
            if case .success = reply { adopt(action) }
            completion(reply.failure)
        }
    }

    /// Adds an action; see the completion-handler form.
    /// - Since: iOS 8.0
    public func addAction(_ action: HMAction) async throws {
        try await completing { addAction(action, completionHandler: $0) }
    }

    /// Removes an action. An enabled trigger that has nothing left to do is disabled.
    ///
    /// Errors: ``HMError/Code/notFound`` if it isn't in the action set,
    /// ``HMError/Code/objectNotAssociatedToAnyHome`` if the action set is gone,
    /// ``HMError/Code/insufficientPrivileges`` for guests.
    /// - Since: iOS 8.0
    @preconcurrency
    public func removeAction(
        _ action: HMAction,
        completionHandler completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        homeReference.context.call(HubMethods.removeAction, try removal(of: action), completion: completion)
    }

    /// Removes an action; see the completion-handler form.
    /// - Since: iOS 8.0
    public func removeAction(_ action: HMAction) async throws {
        try await completing { removeAction(action, completionHandler: $0) }
    }
}

extension HMActionSet {
    private var place: ActionPlace { ActionPlace(homeReference: homeReference, actionSet: uniqueIdentifier) }

    private var run: RunUpdate? {
        homeReference.isGone ? nil : homeReference.context.link.read { $0.runs[uniqueIdentifier] }
    }

    private func read<Value: Sendable>(_ body: (ActionSetRecord) -> Value) -> Value? {
        homeReference.read { $0.actionSet(uniqueIdentifier).map(body) }
    }

    private func object(for action: Action) -> HMAction? {
        let known = objects.withLock { $0[action.id] }
        guard case .write(let identity, let value) = action.operation else {
            return known ?? insert(HMAction(action.id))
        }
        let homeReference = homeReference
        if homeReference.isGone { return known }
        guard let characteristic = homeReference.context.characteristic(identity, of: homeReference) else { return nil }
        if let known = known as? HMCharacteristicWriteAction<any NSCopying>, known.characteristic === characteristic {
            return known
        }
        return insert(
            HMCharacteristicWriteAction<any NSCopying>(
                action.id,
                characteristic,
                value.object,
                stored: value,
                in: place
            )
        )
    }

    private func insert(_ action: HMAction) -> HMAction {
        objects.withLock { $0[action.uniqueIdentifier] = action }
        return action
    }

    /// Makes an app's object show the action that was added for it.
    private func adopt(_ action: HMAction) {
        guard let action = action as? any WriteAction else { return }
        action.join(place)
        if let action = action as? HMCharacteristicWriteAction<any NSCopying> { _ = insert(action) }
    }

    private func addition(of action: HMAction) throws(HMError) -> InHome<AddAction> {
        try homeReference.check()
        guard let action = action as? any WriteAction else {
            throw HMError(
                .invalidClass,
                reason: "A \(type(of: action)) does nothing. Use an HMCharacteristicWriteAction."
            )
        }
        return InHome(homeReference.home, try action.request(for: uniqueIdentifier, in: homeReference))
    }

    private func removal(of action: HMAction) throws(HMError) -> InHome<RemoveAction> {
        try homeReference.check()
        return InHome(homeReference.home, RemoveAction(action.uniqueIdentifier, actionSet: uniqueIdentifier))
    }
}
