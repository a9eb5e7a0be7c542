internal import HAP
internal import HAPServer
internal import Synchronization

/// A simulator of HAP accessories and bridges that communicate over the network, without hardware.
///
/// Each accessory is a HAP server in this process. It stores its identity, pairings and IDs in its own folder, and its
/// services behave like real ones: a garage door takes time to open.
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

    /// The hosted descriptions, or before the start, those of the configuration.
    nonisolated var descriptions: [AccessoryDescription] { slots.withLock { $0.compactMap(\.self) } }
    /// The description that each server hosts, in the order of creation, or `nil` if it was removed.
    nonisolated let slots: Mutex<[AccessoryDescription?]>
    let configuration: SimulatorConfiguration
    nonisolated let scheduler: any Scheduler
    let serverTimer: ServerTimer?
    let activity: ScenarioActivityTracker?
    /// A closure that receives all traffic, with the serial number of the standalone accessory or bridge.
    let observe: (@Sendable (String, TrafficEvent) -> Void)?
    nonisolated let broadcaster = EventBroadcaster()
    /// The faults of each server, in the order of the slots.
    var plans: [FaultPlan] = []
    /// The lasting faults, including ones that are used up.
    var faults: [InjectedFault] = []
    var lastFault: UInt64 = 0
    var advertiser: Advertiser?
    /// The advertiser in the accessories' own networks.
    var setupAdvertiser: Advertiser?
    /// The accessories that aren't on the network, by slot.
    var unconfigured: [Int: UnconfiguredServer] = [:]
    /// The servers of accessories that joined the network and wait for the confirmation, by slot.
    var confirming: [Int: SetupServer] = [:]
    /// The servers, in the order of the slots.
    var servers: [AccessoryServer] = []
    /// The storage of each server, in the same order.
    var storages: [any AccessoryStorage] = []
    /// The slots whose accessories were edited.
    var edited: Set<Int> = []
    /// The folder for edits, or `nil` if the configuration has another storage, in which case edits last as long as the
    /// simulator.
    var folder: SimulatorFolder?
    let turns = AsyncLock()
    /// The server of each accessory, by serial number.
    var serverOfAccessory: [String: AccessoryServer] = [:]
    let behaviors: BehaviorRunner

    private var state = State.idle

    /// Creates a simulator and validates the accessory files.
    ///
    /// - Parameter clock: The clock for operations that take time, such as a moving door.
    /// - Throws: ``SimulatorError`` with the code `unreadableFile`, `invalidFile` or `invalidConfiguration`.
    public init(
        _ configuration: SimulatorConfiguration,
        clock: any Clock<Duration> = ContinuousClock()
    ) throws(SimulatorError) {
        try self.init(configuration, scheduler: Self.scheduler(by: clock))
    }

    /// Creates a simulator and validates the accessory files.
    ///
    /// - Parameters:
    ///   - scheduler: The scheduler for operations that take time.
    ///   - serverTimer: The servers' timer for events (default: the system's time).
    ///   - activity: A tracker that is active while effects of changes are in progress.
    ///   - observe: A closure that receives all traffic, with the serial number of the standalone accessory or bridge.
    init(
        _ configuration: SimulatorConfiguration,
        scheduler: any Scheduler,
        serverTimer: ServerTimer? = nil,
        activity: ScenarioActivityTracker? = nil,
        observe: (@Sendable (String, TrafficEvent) -> Void)? = nil
    ) throws(SimulatorError) {
        guard configuration.lights >= 0 else {
            throw SimulatorError(
                .invalidConfiguration,
                reason: "\(configuration.lights) is not a valid number of lights"
            )
        }
        if let network = configuration.network { try Self.check(network) }
        var descriptions: [AccessoryDescription] = []
        for file in configuration.files { descriptions.append(try AccessoryDescription(file: file)) }
        descriptions += configuration.accessories + AccessoryDescription.lights(configuration.lights)
        try Self.check(descriptions)
        slots = Mutex(descriptions)
        self.configuration = configuration
        self.scheduler = scheduler
        self.serverTimer = serverTimer
        self.activity = activity
        self.observe = observe
        behaviors = BehaviorRunner(scheduler: scheduler, activity: activity, seed: configuration.seed)
    }

    private static func scheduler(by clock: some Clock<Duration>) -> any Scheduler {
        ClockScheduler(clock)
    }

    /// Returns a stream of events from now on, until the simulator stops. There can be any number of streams. A slow
    /// consumer loses the oldest events.
    public nonisolated func events() -> AsyncStream<SimulatorEvent> {
        broadcaster.stream()
    }

    /// Checks that descriptions can be hosted together.
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
                    reason: "\(description.source) and \(other) have the device ID \(id); give each a different ID"
                )
            }
            for accessory in description.accessories {
                guard let other = sources.updateValue(description.source, forKey: accessory.key) else { continue }
                throw SimulatorError(
                    .invalidConfiguration,
                    reason: "\(description.source) and \(other) have an accessory with the serial number "
                        + "'\(accessory.key)'; give each a different number"
                )
            }
        }
    }
}

// MARK: Start and stop

extension Simulator {
    /// Hosts all accessories. Returns once they are listening and, if configured, advertised.
    ///
    /// - Throws: ``SimulatorError``. Then nothing is hosted, and the simulator can't be started again.
    public func start() async throws(SimulatorError) -> [RunningAccessory] {
        guard state == .idle else {
            throw SimulatorError(.wrongState, reason: "The simulator was already started; create another one")
        }
        state = .starting
        do throws(SimulatorError) {
            let accessories = try await host()
            guard state == .starting else {
                throw SimulatorError(.wrongState, reason: "The simulator was stopped while it was starting")
            }
            state = .running
            return accessories
        } catch {
            state = .stopped
            await end()
            throw error
        }
    }

    /// Withdraws and stops all accessories. Has no effect the second time.
    public func stop() async {
        guard state != .stopped else { return }
        state = .stopped
        // Wait for an edit in progress, so that its changes are also undone.
        await turns.lock()
        await end()
        await turns.unlock()
    }

    /// Whether accessories can be edited.
    var isRunning: Bool { state == .running }

    /// Releases everything, including the results of a start that was interrupted by the stop.
    private func end() async {
        for fault in faults { fault.cleanup.cancel() }
        await behaviors.stop()
        let servers = servers
        self.servers = []
        serverOfAccessory = [:]
        await stopSetup()
        await withTaskGroup { group in
            for server in servers { group.addTask { await server.stop() } }
        }
        await advertiser.take()?.shutdown()
        folder.take()?.release()
        broadcaster.finish()
    }
}
