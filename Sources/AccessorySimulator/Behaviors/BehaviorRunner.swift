internal import HAPCatalog
internal import HAPServer
internal import Synchronization

/// Runs the behaviors and habits of all accessories' services: their reactions to changes, immediate or delayed, and
/// their own activity.
actor BehaviorRunner {
    private typealias ServiceAddress = AccessoryDescription.ServiceAddress

    private struct Service {
        let behavior: Behavior?
        let delay: Duration
        let habits: [Habit]
        let types: [HAPType]
    }

    /// The cause of a pending change: a service's type, or one of its habits.
    private struct Cause: Hashable {
        let service: ServiceAddress
        var habit: Int?
    }

    private let stream: AsyncStream<CharacteristicAddress>
    private nonisolated let changes: AsyncStream<CharacteristicAddress>.Continuation
    private nonisolated let services = Mutex<[ServiceAddress: Service]>([:])
    private let scheduler: any Scheduler
    private nonisolated let activity: ScenarioActivityTracker?
    private let seed: UInt64
    private var servers: [String: AccessoryServer] = [:]
    private var reactions: Task<Void, Never>?
    /// The pending changes of services.
    private var pending: [Cause: ScheduledAction] = [:]
    /// The number of reactions of each service's behavior so far.
    private var turns: [ServiceAddress: Int] = [:]
    private var generators: [String: SeededGenerator] = [:]

    /// Creates a runner.
    ///
    /// - Parameters:
    ///   - activity: A tracker that is active while reactions to changes are in progress.
    ///   - seed: The seed of all random choices.
    init(scheduler: any Scheduler, activity: ScenarioActivityTracker?, seed: UInt64) {
        (stream, changes) = AsyncStream.makeStream()
        self.scheduler = scheduler
        self.activity = activity
        self.seed = seed
    }

    /// Starts reacting to changes.
    func start() {
        reactions = Task {
            for await changed in stream {
                await react(to: changed)
                activity?.finish()
            }
        }
    }

    /// Runs the behaviors of a description's accessories, in place of those of a previous description.
    ///
    /// - Parameter server: The server of all of the accessories.
    func host(
        _ description: AccessoryDescription,
        replacing previous: AccessoryDescription? = nil,
        on server: AccessoryServer
    ) {
        if let previous { forget(previous) }
        for accessory in description.accessories {
            servers[accessory.key] = server
            for service in accessory.services {
                let address = ServiceAddress(accessory: accessory.key, service: service.key)
                let (behavior, habits) = (Behavior(service.type), description.habits[address] ?? [])
                guard behavior != nil || !habits.isEmpty else { continue }
                let hosted = Service(
                    behavior: behavior,
                    delay: description.delays[address] ?? behavior?.delay ?? .zero,
                    habits: habits,
                    types: service.characteristics.map(\.type)
                )
                services.withLock { $0[address] = hosted }
                for (index, habit) in habits.enumerated() where habit.isSteady {
                    schedule(habit, Cause(service: address, habit: index))
                }
            }
        }
    }

    /// Stops the habits of a description's accessories. Pending changes still apply to services that remain, and are
    /// ignored for others.
    func forget(_ description: AccessoryDescription) {
        let keys = Set(description.accessories.map(\.key))
        for key in keys { servers[key] = nil }
        services.withLock { services in
            services = services.filter { !keys.contains($0.key.accessory) }
        }
        for cause in pending.keys where cause.habit != nil && keys.contains(cause.service.accessory) {
            pending.removeValue(forKey: cause)?.cancel()
        }
    }

    /// Moves accessories to another server. Pending changes apply to it.
    func restarted(_ server: AccessoryServer, _ accessories: [String]) {
        for accessory in accessories where servers[accessory] != nil { servers[accessory] = server }
    }

    /// Cancels pending changes and stops reacting.
    func stop() {
        changes.finish()
        reactions?.cancel()
        for entry in pending.values { entry.cancel() }
        pending = [:]
        servers = [:]
        services.withLock { $0 = [:] }
    }

    /// Records a change. Reactions occur in the order of the calls.
    nonisolated func record(_ change: ValueChange) {
        // Most accessories react to nothing.
        let reacts = services.withLock { services in
            guard !services.isEmpty else { return false }
            let address = ServiceAddress(accessory: change.address.accessory, service: change.address.service)
            return services[address] != nil
        }
        guard reacts else { return }
        activity?.begin()
        changes.yield(change.address)
    }
}

// MARK: Reactions

extension BehaviorRunner {
    private func react(to changed: CharacteristicAddress) async {
        let address = ServiceAddress(accessory: changed.accessory, service: changed.service)
        guard let service = services.withLock({ $0[address] }) else { return }
        let values = await values(of: service, address)
        if var reaction = service.behavior?.reaction(to: changed.type, values) {
            turns[address, default: 0] += 1
            for habit in service.habits { reaction = habit.altered(reaction, turns[address, default: 0]) }
            await perform(reaction, after: service.delay, Cause(service: address))
        }
        for (index, habit) in service.habits.enumerated() {
            guard let reaction = habit.reaction(to: changed.type, values) else { continue }
            await perform(reaction, after: habit.time, Cause(service: address, habit: index))
        }
    }

    private func perform(_ reaction: Behavior.Reaction, after delay: Duration, _ cause: Cause) async {
        // A door that is reversed doesn't arrive at its previous target.
        pending.removeValue(forKey: cause)?.cancel()
        await apply(reaction.now, to: cause.service)
        guard !reaction.later.isEmpty else { return }
        guard delay > .zero else {
            await apply(reaction.later, to: cause.service)
            return
        }
        pending[cause] = scheduler.after(delay) {
            await self.apply(reaction.later, to: cause.service)
        }
    }

    private func values(of service: Service, _ address: ServiceAddress) async -> [HAPType: CharacteristicValue] {
        guard let server = servers[address.accessory] else { return [:] }
        var values: [HAPType: CharacteristicValue] = [:]
        for type in service.types {
            let own = CharacteristicAddress(accessory: address.accessory, service: address.service, type: type)
            values[type] = (try? await server.value(of: own)) ?? nil
        }
        return values
    }

    private func apply(_ values: [HAPType: CharacteristicValue], to address: ServiceAddress) async {
        guard let server = servers[address.accessory] else { return }
        for (type, value) in values.sorted(by: { $0.key < $1.key }) where !Task.isCancelled {
            let target = CharacteristicAddress(accessory: address.accessory, service: address.service, type: type)
            // Ignore errors: a service may lack an optional characteristic.
            try? await server.update(value, of: target)
        }
    }
}

// MARK: Habits

extension BehaviorRunner {
    private func schedule(_ habit: Habit, _ cause: Cause) {
        pending[cause] = scheduler.after(habit.time) { await self.step(habit, cause) }
    }

    private func step(_ habit: Habit, _ cause: Cause) async {
        guard let service = services.withLock({ $0[cause.service] }) else { return }
        let values = await values(of: service, cause.service)
        let accessory = cause.service.accessory
        var generator = generators[accessory] ?? SeededGenerator(seed: seed, for: accessory)
        let changes = habit.step(values, using: &generator)
        generators[accessory] = generator
        schedule(habit, cause)
        await apply(changes, to: cause.service)
    }
}
