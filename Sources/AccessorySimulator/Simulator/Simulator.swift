internal import HAP
internal import HAPServer
internal import Synchronization

/// Accessories and bridges on the real wire without hardware.
///
/// Each is a HAP server of its own in this process, keeps its identity, pairings and ids in a folder of its own, and
/// does by itself what its services do: a garage door takes time to open.
///
/// ```swift
/// let simulator = try Simulator(SimulatorConfiguration(files: ["garage.json"], dataFolder: "data"))
/// for accessory in try await simulator.start() { print(accessory.name, accessory.port) }
/// try await simulator.set(.bool(true), of: simulator.find("Garage Door Opener", "ObstructionDetected"))
/// await simulator.stop()
/// ```
public actor Simulator {
    private enum State {
        case idle
        case starting
        case running
        case stopped
    }

    /// What is hosted; before the start, what the configuration names.
    nonisolated var descriptions: [AccessoryDescription] { slots.withLock { $0.compactMap(\.self) } }
    /// What each server hosts, in the order in which they were made; `nil` once it was removed.
    nonisolated let slots: Mutex<[AccessoryDescription?]>
    let configuration: SimulatorConfiguration
    nonisolated let timeline: any Scheduler
    let serverTimer: ServerTimer?
    let activity: ScenarioActivityTracker?
    /// Hears of all that passes, with the serial number of the standalone accessory or bridge.
    let observe: (@Sendable (String, TrafficEvent) -> Void)?
    nonisolated let hub = EventBroadcaster()
    /// The faults of each server, in the order of the slots.
    var plans: [FaultPlan] = []
    /// The faults that are under way or have run out.
    var faults: [InjectedFault] = []
    var lastFault: UInt64 = 0
    var advertiser: Advertiser?
    /// The servers, in the order of the slots.
    var servers: [AccessoryServer] = []
    /// What they keep, in the same order.
    var storages: [any AccessoryStorage] = []
    /// The slots whose accessories were edited.
    var edited: Set<Int> = []
    /// Where edits are kept; `nil` if the configuration has another storage, and edits last as long as the simulator.
    var folder: SimulatorFolder?
    let turns = AsyncLock()
    /// The server of each accessory, by serial number.
    var serverOfAccessory: [String: AccessoryServer] = [:]
    let behaviours: BehaviorRunner

    private var state = State.idle

    /// Reads and checks the accessory files.
    ///
    /// - Parameter clock: Drives what takes time, such as a door.
    /// - Throws: ``SimulatorError`` with the code `unreadableFile`, `invalidFile` or `invalidConfiguration`.
    public init(
        _ configuration: SimulatorConfiguration,
        clock: any Clock<Duration> = ContinuousClock()
    ) throws(SimulatorError) {
        try self.init(configuration, timeline: Self.timeline(by: clock))
    }

    /// Reads and checks the accessory files.
    ///
    /// - Parameters:
    ///   - timeline: Drives what takes time.
    ///   - serverTimer: By what the servers time events; `nil` takes the system's time.
    ///   - activity: Is told as long as something follows from a change.
    ///   - observe: Hears of all that passes, with the serial number of the standalone accessory or bridge.
    init(
        _ configuration: SimulatorConfiguration,
        timeline: any Scheduler,
        serverTimer: ServerTimer? = nil,
        activity: ScenarioActivityTracker? = nil,
        observe: (@Sendable (String, TrafficEvent) -> Void)? = nil
    ) throws(SimulatorError) {
        guard configuration.lights >= 0 else {
            throw SimulatorError(.invalidConfiguration, reason: "\(configuration.lights) is no number of lights")
        }
        var descriptions: [AccessoryDescription] = []
        for file in configuration.files { descriptions.append(try AccessoryDescription(file: file)) }
        descriptions += configuration.accessories + AccessoryDescription.lights(configuration.lights)
        try Self.check(descriptions)
        slots = Mutex(descriptions)
        self.configuration = configuration
        self.timeline = timeline
        self.serverTimer = serverTimer
        self.activity = activity
        self.observe = observe
        behaviours = BehaviorRunner(timeline: timeline, activity: activity, seed: configuration.seed)
    }

    private static func timeline(by clock: some Clock<Duration>) -> any Scheduler {
        ClockScheduler(clock)
    }

    /// Everything that happens from now on, until the simulator stops. Any number of streams may be asked for; one that
    /// is read too slowly loses the oldest events.
    public nonisolated func events() -> AsyncStream<SimulatorEvent> {
        hub.stream()
    }

    /// Checks that descriptions can be hosted beside each other.
    static func check(_ descriptions: [AccessoryDescription]) throws(SimulatorError) {
        var sources: [String: String] = [:]
        var ids: [DeviceID: String] = [:]
        for description in descriptions {
            do {
                try AccessoryServer.check(description.accessories)
            } catch {
                throw SimulatorError(.invalidConfiguration, reason: "\(description.source): \(error.reason)")
            }
            if let id = description.deviceID, let other = ids.updateValue(description.source, forKey: id) {
                throw SimulatorError(
                    .invalidConfiguration,
                    reason: "\(description.source) and \(other) have the device id \(id); give each its own"
                )
            }
            for accessory in description.accessories {
                guard let other = sources.updateValue(description.source, forKey: accessory.key) else { continue }
                throw SimulatorError(
                    .invalidConfiguration,
                    reason: "\(description.source) and \(other) have an accessory with the serial number "
                        + "'\(accessory.key)'; give each its own"
                )
            }
        }
    }
}

// MARK: Start and stop

extension Simulator {
    /// Hosts every accessory. Returns once each listens and, where wanted, is advertised.
    ///
    /// - Throws: ``SimulatorError``; then nothing is hosted, and the simulator cannot be started again.
    public func start() async throws(SimulatorError) -> [RunningAccessory] {
        guard state == .idle else {
            throw SimulatorError(.wrongState, reason: "The simulator was started before; make another one")
        }
        state = .starting
        do throws(SimulatorError) {
            let ready = try await host()
            guard state == .starting else {
                throw SimulatorError(.wrongState, reason: "The simulator was stopped while it was starting")
            }
            state = .running
            return ready
        } catch {
            state = .stopped
            await end()
            throw error
        }
    }

    /// Says goodbye and ends every accessory. Does nothing the second time.
    public func stop() async {
        guard state != .stopped else { return }
        state = .stopped
        // What an edit has begun is ended with the rest.
        await turns.lock()
        await end()
        await turns.unlock()
    }

    /// Whether accessories may be changed.
    var isRunning: Bool { state == .running }

    /// Lets go of everything, also of what a start that was overtaken by the stop has brought.
    private func end() async {
        for fault in faults { fault.end.cancel() }
        await behaviours.stop()
        let servers = servers
        self.servers = []
        serverOfAccessory = [:]
        await withTaskGroup { group in
            for server in servers { group.addTask { await server.stop() } }
        }
        await advertiser.take()?.shutdown()
        folder.take()?.release()
        hub.finish()
    }
}
