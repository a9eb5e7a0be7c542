import Foundation
import HAPCatalog
import HomeModel
import HomeStore
import HubAPI
import Logging
import Synchronization

/// Runs action sets, for clients and for triggers.
///
/// All actions start together: those of one accessory server in one request, those of different servers side by side. An
/// accessory that doesn't answer fails after its session's timeouts, so every run ends. An action set that is running isn't
/// started again.
final class ActionSetRunner: HubPart {
    // This is a class because clients and triggers share the list of running action sets.

    /// A run whose writes are in their servers' queues.
    struct Run: Sendable {
        /// The ID of the run's activity, to which the written values refer.
        var id: UUID { activity.id }

        fileprivate var home: UUID
        fileprivate var actionSet: ActionSetRecord
        fileprivate var activity: SceneActivity
        fileprivate var submitted: CharacteristicWriter.Submitted
        /// The index of each write's action.
        fileprivate var writers: [Int]
        /// The actions that failed before anything was written, by index.
        fileprivate var refused: [Int: HubError]
    }

    /// The times of runs that aren't stored yet.
    private struct Unstored {
        var states: [StateKey: [UInt8]?] = [:]
        /// The task that stores them.
        var task: Task<Void, Never>?

        /// Removes and returns what is to be stored; `nil` at the end of the task.
        mutating func take() -> [StateKey: [UInt8]?]? {
            if states.isEmpty { task = nil }
            defer { states = [:] }
            return states.isEmpty ? nil : states
        }
    }

    private let database: HomeDatabase
    private let writer: CharacteristicWriter
    private let live: LiveState
    private let store: HomeStore
    private let changes: any ChangeWriter
    private let activities: ActivityStream
    private let assistants: AssistantGuard
    private let log: Logger
    private let running = Mutex<Set<UUID>>([])
    private let unstored = Mutex(Unstored())

    /// Creates a runner.
    init(
        database: HomeDatabase,
        writer: CharacteristicWriter,
        live: LiveState,
        store: HomeStore,
        changes: any ChangeWriter,
        activities: ActivityStream,
        assistants: AssistantGuard,
        log: Logger
    ) {
        self.database = database
        self.writer = writer
        self.live = live
        self.store = store
        self.changes = changes
        self.activities = activities
        self.assistants = assistants
        self.log = log
    }

    /// Publishes the last runs of the previous start.
    func start() async throws {
        publish(try await store.states(.run))
    }

    private func publish(_ states: [StateKey: [UInt8]?]) {
        let running = running.withLock { $0 }
        let updates = states.filter { !running.contains($0.key.id) }.compactMap { key, value -> RunUpdate? in
            guard let value else { return RunUpdate(home: key.home, id: key.id, isRunning: false, last: nil) }
            return RunState(value)?.update(of: key)
        }
        live.update(updates)
    }

    /// Publishes the runs that were stored at the other hub, and those that it has taken back.
    func follow(_ values: [StateKey: [UInt8]?]) {
        let runs = values.filter { $0.key.kind == .run }
        if !runs.isEmpty { publish(runs) }
    }

    func stop() async {
        while let task = unstored.withLock({ $0.task }) { await task.value }
    }

    func register(in router: inout MethodRouter) {
        router.on(HubMethods.runActionSet, isBrief: true) { [self] (parameters, session) async throws(HubError) in
            let home = try await database.home(parameters.home, for: session.user)
            let actionSet = try Self.actionSet(parameters.id, in: home)
            let guarded = session.isAssistant ? assistants.guarded(actionSet, in: home) : []
            guard guarded.isEmpty else {
                return .deferred { [self] () async throws(HubError) in
                    try await assistants.askPerson(about: guarded, inScene: actionSet.name, for: session)
                    // The scene may have changed while the person decided; then they didn't agree to it.
                    let home = try await database.home(parameters.home, for: session.user)
                    let current = try Self.actionSet(parameters.id, in: home)
                    guard current.actions == actionSet.actions else {
                        throw HubError(.cancelled, "“\(actionSet.name)” was changed in the meantime. Try again.")
                    }
                    return await finish(try await begin(current, in: home, by: session.origin))
                }
            }
            let run = try await begin(actionSet, in: home, by: session.origin)
            return .deferred { [self] in await finish(run) }
        }
    }

    /// Returns an action set that clients can run.
    private static func actionSet(_ id: UUID, in home: Home) throws(HubError) -> ActionSetRecord {
        guard let actionSet = home.actionSet(id) else {
            throw HubError(HomeError(.notFound, "There is no scene \(id) in the home.", about: .scene(id)))
        }
        guard actionSet.type != .triggerOwned else {
            throw HubError(HomeError(.triggerOwnedActionSet, "Only the automation that owns the actions can run them."))
        }
        return actionSet
    }

    /// Starts a run: its writes are in their servers' queues when this returns.
    ///
    /// - Parameters:
    ///   - actionSet: The action set.
    ///   - home: The home in its current state.
    ///   - origin: The cause of the run, and the caller who requested it.
    /// - Returns: A value to pass to ``finish(_:)``.
    /// - Throws: `nothingToRun` or `alreadyExecuting`. Nothing is written then.
    func begin(_ actionSet: ActionSetRecord, in home: Home, by origin: Origin) async throws(HubError) -> Run {
        guard !actionSet.actions.isEmpty else {
            throw HubError(
                .nothingToRun,
                "“\(actionSet.name)” has no actions. Add one before you run it.",
                scene: actionSet
            )
        }
        guard running.withLock({ $0.insert(actionSet.id).inserted }) else {
            throw HubError(.alreadyExecuting, "“\(actionSet.name)” is already running.", scene: actionSet)
        }
        let now = database.now()
        let activity = SceneActivity(
            id: .random(),
            home: home.id,
            actionSet: actionSet.id,
            time: now,
            actions: actionSet.actions.count,
            failures: 0,
            origin: origin
        )
        live.update([
            RunUpdate(home: home.id, id: actionSet.id, isRunning: true, last: live.run(of: actionSet.id)?.last)
        ])
        keep(activity)
        var (orders, writers): ([CharacteristicWriter.Order], [Int]) = ([], [])
        var refused: [Int: HubError] = [:]
        for (index, action) in actionSet.actions.enumerated() {
            do throws(HubError) {
                orders.append(try home.order(of: action))
                writers.append(index)
            } catch {
                refused[index] = error
            }
        }
        let cause = Cause(kind: .scene, subject: actionSet.id)
        var writing = Origin(cause: cause, caller: origin.caller, parent: activity.id, expiry: origin.expiry)
        writing.fence = origin.fence
        report(refused, of: actionSet, in: home.id, by: writing)
        let submitted = await writer.submit(orders, in: home.id, by: writing)
        return Run(
            home: home.id,
            actionSet: actionSet,
            activity: activity,
            submitted: submitted,
            writers: writers,
            refused: refused
        )
    }

    /// Publishes the actions that were not even tried. The writer publishes those that fail.
    private func report(
        _ refused: [Int: HubError],
        of actionSet: ActionSetRecord,
        in home: UUID,
        by origin: Origin
    ) {
        let failures = refused.sorted { $0.key < $1.key }.compactMap { index, error -> FailedWrite? in
            guard case .write(let identity, let value) = actionSet.actions[index].operation else { return nil }
            return FailedWrite(
                home: home,
                characteristic: CharacteristicReference(accessory: identity.accessory, iid: 0),
                value: value,
                error: error,
                origin: origin,
                missingType: identity.type
            )
        }
        if !failures.isEmpty { live.report(failures) }
    }

    /// Waits until every accessory has answered or its time is up.
    func finish(_ run: Run) async -> ActionSetResult {
        var errors = run.refused
        await writer.finish(run.submitted) { outcomes in
            for (index, outcome) in zip(run.writers, outcomes) { errors[index] = outcome.error }
        }
        let actions = run.actionSet.actions
        let failures = errors.sorted { $0.key < $1.key }.map { index, error in
            let action = actions[index]
            return ActionSetResult.Failure(action: action.id, accessory: action.characteristic?.accessory, error: error)
        }
        end(run, failures: failures.count)
        return ActionSetResult(actions: actions.count, failures: failures)
    }

    private func end(_ run: Run, failures: Int) {
        var activity = run.activity
        activity.failures = failures
        activities.publish(.scene(activity))
        _ = running.withLock { $0.remove(run.actionSet.id) }
        live.update([RunUpdate(home: run.home, id: run.actionSet.id, isRunning: false, last: activity.time)])
    }

    /// Stores when a run was. Nobody waits for it: the accessories don't, and the journal tells the same.
    private func keep(_ run: SceneActivity) {
        unstored.withLock { unstored in
            unstored.states[StateKey(.run, home: run.home, id: run.actionSet)] = RunState(last: run.time).bytes
            if unstored.task == nil { unstored.task = Task { await storeRuns() } }
        }
    }

    private func storeRuns() async {
        while let states = unstored.withLock({ $0.take() }) {
            do {
                try await changes.setStates(states)
            } catch {
                log.warning("The time of a run was not stored.", metadata: ["error": "\(error)"])
            }
        }
    }
}

extension Home {
    /// Returns the write that carries out an action.
    ///
    /// - Throws: `notFound` if the characteristic is missing at present, `invalidParameter` if the action is of a newer
    ///   version.
    func order(of action: Action) throws(HubError) -> CharacteristicWriter.Order {
        guard case .write(let identity, let value) = action.operation else {
            throw HubError(HomeError(.invalidParameter, "The action is from a newer version."))
        }
        guard let (reference, located) = locate(identity) else {
            let name = accessories[id: identity.accessory]?.name
            throw HubError(
                .noSuchCharacteristic,
                "“\(name ?? "The accessory")” does not have \(identity.type) now.",
                parts: ErrorParts(.init(.accessory(identity.accessory, name)))
            )
        }
        let write = WriteCharacteristics.Write(characteristic: reference, value: value)
        return CharacteristicWriter.Order(write: write, target: .success(located))
    }
}
