public import Foundation
import HomeModel
import HubAPI
import Synchronization

/// A trigger, which runs action sets automatically. Users know it as an automation. Subclasses say when:
/// ``HMTimerTrigger`` and ``HMEventTrigger``.
///
/// An app makes a trigger, adds action sets to it, adds it to a home with ``HMHome/addTrigger(_:completionHandler:)``, and
/// enables it. The object that the app made then stands for the trigger in the home. Changes that the app makes before
/// always succeed, and are validated when it adds the trigger.
///
/// The hub runs triggers, whether or not an app runs. Completion handlers are called on the main queue. When one is called,
/// the trigger already reflects the change. Properties can be read from any thread.
/// - Since: iOS 8.0
public class HMTrigger: NSObject, @unchecked Sendable {
    // @unchecked because the class has subclasses, which guard their state with locks. Its own state is guarded by a Mutex.

    private enum Place {
        /// The app made the trigger and has not added it to a home.
        case app
        /// The trigger is being added to a home.
        case joining(HomeReference)
        case home(HomeReference)
    }

    private struct State {
        var place: Place
        /// The name and the action sets before the trigger is in a home.
        var name = ""
        var actionSets: [HMActionSet] = []
    }

    private let state: Mutex<State>
    private let ownQueue = HomeKitEnvironment.present.queue

    /// The trigger's identity. It never changes, not even when the trigger joins a home.
    /// - Since: iOS 9.0
    public let uniqueIdentifier: UUID

    /// Creates a trigger that is in no home.
    init(name: String) {
        uniqueIdentifier = UUID()
        state = Mutex(State(place: .app, name: name))
    }

    /// Creates the object for a trigger of a home.
    init(_ id: UUID, _ homeReference: HomeReference) {
        uniqueIdentifier = id
        state = Mutex(State(place: .home(homeReference)))
    }

    /// The trigger's name.
    /// - Since: iOS 8.0
    public var name: String {
        isInHome ? read { $0.name } ?? "" : state.withLock { $0.name }
    }

    /// Whether the hub runs the trigger. A new trigger is disabled.
    /// - Since: iOS 8.0
    public var isEnabled: Bool { read { $0.isEnabled } ?? false }

    /// The action sets that the trigger runs, in the order in which they were added.
    /// - Since: iOS 8.0
    public var actionSets: [HMActionSet] {
        guard let homeReference else { return state.withLock { $0.actionSets } }
        return homeReference.context.actionSets(of: homeReference) { home in
            home.triggers[id: uniqueIdentifier]?.actionSets.filter { home.actionSet($0) != nil } ?? []
        }
    }

    /// When the trigger last fired; `nil` if it never did.
    /// - Since: iOS 8.0
    @available(*, deprecated, message: "Apple no longer supports this property.")
    public var lastFireDate: Date? {
        guard let homeReference, !homeReference.isGone else { return nil }
        return homeReference.context.link.read { $0.runs[uniqueIdentifier]?.last }
    }

    /// Renames the trigger.
    ///
    /// Errors: ``HMError/Code/objectWithSimilarNameExistsInHome`` and the errors for invalid names,
    /// ``HMError/Code/objectNotAssociatedToAnyHome`` if the trigger is gone, ``HMError/Code/insufficientPrivileges`` for
    /// guests.
    /// - Since: iOS 8.0
    @preconcurrency
    public func updateName(
        _ name: String,
        completionHandler completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        let id = uniqueIdentifier
        update(HubMethods.renameTrigger, completion) { home throws(HMError) in
            try home.rename(id, to: name)
        } before: { [self] () throws(HMError) in
            state.withLock { $0.name = name }
        }
    }

    /// Renames the trigger; see the completion-handler form.
    /// - Since: iOS 8.0
    public func updateName(_ name: String) async throws {
        try await completing { updateName(name, completionHandler: $0) }
    }

    /// Adds an action set to those that the trigger runs.
    ///
    /// Errors: ``HMError/Code/alreadyExists`` if the trigger already runs it, ``HMError/Code/noActionsInActionSet`` if it
    /// is empty and the trigger is enabled, ``HMError/Code/objectAssociatedToAnotherHome``,
    /// ``HMError/Code/objectNotAssociatedToAnyHome`` if the action set or the trigger is gone,
    /// ``HMError/Code/insufficientPrivileges`` for guests.
    /// - Since: iOS 8.0
    @preconcurrency
    public func addActionSet(
        _ actionSet: HMActionSet,
        completionHandler completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        let id = uniqueIdentifier
        update(HubMethods.addActionSetToTrigger, completion) { home throws(HMError) in
            try home.check()
            try home.check(actionSet.homeReference)
            return InHome(home.home, AddActionSetToTrigger(actionSet: actionSet.uniqueIdentifier, trigger: id))
        } before: { [self] () throws(HMError) in
            try actionSet.homeReference.check()
            let isNew = state.withLock { state in
                guard !state.actionSets.contains(actionSet) else { return false }
                state.actionSets.append(actionSet)
                return true
            }
            if !isNew { throw HMError(.alreadyExists) }
        }
    }

    /// Adds an action set; see the completion-handler form.
    /// - Since: iOS 8.0
    public func addActionSet(_ actionSet: HMActionSet) async throws {
        try await completing { addActionSet(actionSet, completionHandler: $0) }
    }

    /// Removes an action set from those that the trigger runs. The action set itself stays in the home, unless the trigger
    /// owns it. A trigger that has nothing left to do is disabled.
    ///
    /// Errors: ``HMError/Code/notFound`` if the trigger doesn't run it, ``HMError/Code/objectAssociatedToAnotherHome``,
    /// ``HMError/Code/objectNotAssociatedToAnyHome`` if the action set or the trigger is gone,
    /// ``HMError/Code/insufficientPrivileges`` for guests.
    /// - Since: iOS 8.0
    @preconcurrency
    public func removeActionSet(
        _ actionSet: HMActionSet,
        completionHandler completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        let id = uniqueIdentifier
        update(HubMethods.removeActionSetFromTrigger, completion) { home throws(HMError) in
            try home.check()
            try home.check(actionSet.homeReference)
            return InHome(home.home, RemoveActionSetFromTrigger(actionSet: actionSet.uniqueIdentifier, trigger: id))
        } before: { [self] () throws(HMError) in
            let wasIn = state.withLock { state in
                let count = state.actionSets.count
                state.actionSets.removeAll { $0 == actionSet }
                return state.actionSets.count < count
            }
            if !wasIn { throw HMError(.notFound) }
        }
    }

    /// Removes an action set; see the completion-handler form.
    /// - Since: iOS 8.0
    public func removeActionSet(_ actionSet: HMActionSet) async throws {
        try await completing { removeActionSet(actionSet, completionHandler: $0) }
    }

    /// Enables or disables the trigger.
    ///
    /// Errors of enabling: ``HMError/Code/noRegisteredActionSets`` without an action set,
    /// ``HMError/Code/noActionsInActionSet`` if one is empty, ``HMError/Code/fireDateInPast`` and
    /// ``HMError/Code/cannotActivateTriggerTooFarInFuture`` for timers. In general:
    /// ``HMError/Code/objectNotAssociatedToAnyHome`` if the trigger is in no home,
    /// ``HMError/Code/insufficientPrivileges`` for guests.
    /// - Since: iOS 8.0
    @preconcurrency
    public func enable(_ enable: Bool, completionHandler completion: @escaping @Sendable ((any Error)?) -> Void) {
        let id = uniqueIdentifier
        update(HubMethods.enableTrigger, completion) { home throws(HMError) in
            try home.check()
            return InHome(home.home, EnableTrigger(id, enable))
        } before: { () throws(HMError) in
            throw HMError(.objectNotAssociatedToAnyHome)
        }
    }

    /// Enables or disables the trigger; see the completion-handler form.
    /// - Since: iOS 8.0
    public func enable(_ enable: Bool) async throws {
        try await completing { self.enable(enable, completionHandler: $0) }
    }

    /// Returns when the trigger fires, as the hub stores it. Throws if it can't fire like this in the home.
    func definition(in home: HomeReference) throws(HMError) -> TriggerDefinition {
        throw HMError(.invalidClass)
    }

    /// Makes the objects that the app made show the parts of the record. Called with the hub's state locked.
    func adoptParts(of record: TriggerRecord) {}
}

// MARK: - Joining a home

extension HMTrigger {
    /// Creates the object for a trigger of a home.
    static func object(for record: TriggerRecord, _ homeReference: HomeReference) -> HMTrigger {
        switch record.definition {
        case .timer: HMTimerTrigger(record.id, homeReference)
        case .event: HMEventTrigger(record.id, homeReference)
        case .unknown: HMTrigger(record.id, homeReference)
        }
    }

    /// The reference to the home that the trigger is in, or `nil` if it is in none.
    var homeReference: HomeReference? {
        if case .home(let homeReference) = state.withLock({ $0.place }) { homeReference } else { nil }
    }

    /// The reference to the home that the trigger is in or is being added to. Changes go to its hub.
    var target: HomeReference? {
        switch state.withLock({ $0.place }) {
        case .app: nil
        case .joining(let home), .home(let home): home
        }
    }

    var isInHome: Bool { homeReference != nil }

    /// The queue for completion handlers.
    var queue: DispatchQueue { target?.context.link.queue ?? ownQueue }

    /// Begins to add the trigger to a home, and returns the request.
    func join(_ home: HomeReference) throws(HMError) -> InHome<AddTrigger> {
        try home.check()
        let sets = state.withLock { $0.actionSets }
        for actionSet in sets { try home.check(actionSet.homeReference) }
        let definition = try definition(in: home)
        let name: Result<String, HMError> = state.withLock { state in
            switch state.place {
            case .app:
                state.place = .joining(home)
                return .success(state.name)
            case .joining:
                return .failure(HMError(.operationInProgress))
            case .home(let other):
                if other.isGone { return .failure(HMError(.objectNotAssociatedToAnyHome)) }
                let isHere = other.home == home.home
                return .failure(HMError(isHere ? .objectAlreadyAssociatedToHome : .objectAssociatedToAnotherHome))
            }
        }
        let actionSets = sets.isEmpty ? nil : sets.map(\.uniqueIdentifier)
        let request = AddTrigger(id: uniqueIdentifier, name: try name.get(), definition, actionSets: actionSets)
        return InHome(home.home, request)
    }

    /// Makes the object show the trigger that was added for it. Called with the hub's state locked.
    func join(_ home: HomeReference, as record: TriggerRecord) {
        adoptParts(of: record)
        state.withLock { state in
            state.place = .home(home)
            state.actionSets = []
        }
    }

    /// Ends the addition to a home that failed.
    func withdraw() {
        state.withLock { state in
            if case .joining = state.place { state.place = .app }
        }
    }
}

// MARK: - Reading and changing

extension HMTrigger {
    /// Reads the trigger's record. Returns `nil` if the trigger is in no home. `body` must not call back into an object.
    func read<Value: Sendable>(_ body: (TriggerRecord) -> Value?) -> Value? {
        homeReference?.read { $0.triggers[id: uniqueIdentifier].flatMap(body) }
    }

    /// Changes the trigger in its home, or before it is in one.
    ///
    /// - Parameters:
    ///   - method: The hub's method for a trigger in a home.
    ///   - completion: The app's completion handler, which is called on the callback queue.
    ///   - parameters: A closure that returns the method's parameters.
    ///   - change: A closure that changes a trigger that is in no home.
    func update<Parameters>(
        _ method: Method<Parameters, Empty>,
        _ completion: @escaping @Sendable ((any Error)?) -> Void,
        parameters: (HomeReference) throws(HMError) -> Parameters,
        before change: () throws(HMError) -> Void
    ) {
        if let target {
            return target.context.call(method, try parameters(target), completion: completion)
        }
        let outcome: HMError?
        do throws(HMError) {
            try change()
            outcome = nil
        } catch {
            outcome = error
        }
        queue.async { completion(outcome) }
    }

    /// Changes when the trigger fires, in its home or before it is in one.
    func edit(
        _ completion: @escaping @Sendable ((any Error)?) -> Void,
        _ edit: (HomeReference) throws(HMError) -> TriggerEdit,
        before change: () -> Void
    ) {
        let id = uniqueIdentifier
        update(HubMethods.editTrigger, completion) { home throws(HMError) in
            try home.check()
            return InHome(home.home, EditTrigger(id, try edit(home)))
        } before: { () throws(HMError) in
            change()
        }
    }
}
