internal import HAPCatalog
internal import HAPServer
internal import Synchronization

/// Lets the services of all accessories do what follows from changes, at once or after a while.
actor BehaviourRunner {
    private typealias ServiceAddress = AccessoryDescription.ServiceAddress

    private struct Service {
        let behaviour: Behaviour
        let delay: Duration
        let types: [HAPType]
    }

    private let stream: AsyncStream<CharacteristicAddress>
    private nonisolated let changes: AsyncStream<CharacteristicAddress>.Continuation
    private nonisolated let services = Mutex<[ServiceAddress: Service]>([:])
    private let timeline: any Timeline
    private nonisolated let activity: ScenarioActivity?
    private var servers: [String: AccessoryServer] = [:]
    private var reactions: Task<Void, Never>?
    /// What services will do after their delay.
    private var pending: [ServiceAddress: TimelineEntry] = [:]

    init(timeline: any Timeline, activity: ScenarioActivity? = nil) {
        (stream, changes) = AsyncStream.makeStream()
        self.timeline = timeline
        self.activity = activity
    }

    /// Begins to react.
    func start() {
        reactions = Task {
            for await changed in stream {
                await react(to: changed)
                activity?.finish()
            }
        }
    }

    /// Lets the accessories of a description do what follows from changes, in place of those of a former one.
    ///
    /// - Parameter server: The server of them all.
    func host(_ description: AccessoryDescription, in place: AccessoryDescription? = nil, on server: AccessoryServer) {
        if let place { forget(place) }
        for accessory in description.accessories { servers[accessory.key] = server }
        services.withLock { services in
            for accessory in description.accessories {
                for service in accessory.services {
                    guard let behaviour = Behaviour(service.type) else { continue }
                    let address = ServiceAddress(accessory: accessory.key, service: service.key)
                    services[address] = Service(
                        behaviour: behaviour,
                        delay: description.delays[address] ?? behaviour.delay,
                        types: service.characteristics.map(\.type)
                    )
                }
            }
        }
    }

    /// Lets the accessories of a description do nothing by themselves any more. What is under way in services that stay
    /// is done; what has gone is passed over then.
    func forget(_ description: AccessoryDescription) {
        let keys = Set(description.accessories.map(\.key))
        for key in keys { servers[key] = nil }
        services.withLock { services in
            services = services.filter { !keys.contains($0.key.accessory) }
        }
    }

    /// Takes note that some accessories have another server. What was under way happens on that.
    func restarted(_ server: AccessoryServer, _ accessories: [String]) {
        for accessory in accessories where servers[accessory] != nil { servers[accessory] = server }
    }

    /// Drops what is under way and reacts no more.
    func stop() {
        changes.finish()
        reactions?.cancel()
        for entry in pending.values { entry.cancel() }
        pending = [:]
        servers = [:]
    }

    /// Takes note of a change; changes are reacted to in the order of the calls.
    nonisolated func note(_ change: ValueChange) {
        let address = ServiceAddress(accessory: change.address.accessory, service: change.address.service)
        guard services.withLock({ $0[address] }) != nil else { return }
        activity?.begin()
        changes.yield(change.address)
    }

    private func react(to changed: CharacteristicAddress) async {
        let address = ServiceAddress(accessory: changed.accessory, service: changed.service)
        guard let service = services.withLock({ $0[address] }), let server = servers[changed.accessory] else { return }
        var values: [HAPType: CharacteristicValue] = [:]
        for type in service.types {
            var sibling = changed
            sibling.type = type
            values[type] = (try? await server.value(of: sibling)) ?? nil
        }
        guard let reaction = service.behaviour.reaction(to: changed.type, values) else { return }
        // A door that is reversed does not arrive where it was going.
        pending.removeValue(forKey: address)?.cancel()
        await apply(reaction.now, to: address)
        guard service.delay > .zero else {
            await apply(reaction.later, to: address)
            return
        }
        pending[address] = timeline.after(service.delay) {
            await self.apply(reaction.later, to: address)
        }
    }

    private func apply(_ values: [HAPType: CharacteristicValue], to address: ServiceAddress) async {
        guard let server = servers[address.accessory] else { return }
        for (type, value) in values.sorted(by: { $0.key < $1.key }) where !Task.isCancelled {
            let target = CharacteristicAddress(accessory: address.accessory, service: address.service, type: type)
            // A service that lacks an optional characteristic goes without.
            try? await server.update(value, of: target)
        }
    }
}
