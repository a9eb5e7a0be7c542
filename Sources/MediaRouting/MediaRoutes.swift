package import AirPlay
package import AirPlayNetwork
internal import DNSSD
internal import Dispatch
internal import Foundation
internal import Synchronization

/// The routes of this app's audio: the receivers on the network, and the one that the user has chosen.
///
/// This is a class because AVFoundation and MediaPlayer share it. Its state is guarded by a lock; observers are called on
/// a serial queue.
package final class MediaRoutes: Sendable {
    /// A change that observers are told about.
    package enum Change: Hashable, Sendable {
        /// The user has chosen another route.
        case choice
        /// The app has changed whether it uses the choice.
        case policy
        /// The receivers on the network have changed.
        case receivers
        /// The chosen receivers can't be reached any more. Audio stays on this computer until the app plays again, or the
        /// receiver appears again.
        case failure
        /// One of several chosen receivers can't be reached any more. The others play on.
        case loss
        /// A chosen receiver can be reached again.
        case recovery
        /// The app reports something else about what plays.
        case report
        /// The volume has changed.
        case volume
        /// The app's audio session ends: connections of players that don't play are closed.
        case release
        /// A player has started or stopped.
        case playing
        /// The user has opened or closed a picker of another program.
        case presentation
        /// Other programs must be told again what the app plays: it handles other commands, shows other receivers first, or
        /// a program may have missed it.
        case status
    }

    /// Handles a command of a receiver.
    package typealias CommandHandler = @Sendable (RemoteCommand) async -> RemoteCommand.Result

    private struct State {
        var choice: RouteChoice
        var isLongForm = false
        var failed: RouteChoice?
        /// The chosen receivers that can't be reached, while others play.
        var missing: Set<String> = []
        var receivers: [FoundReceiver] = []
        var videoReceivers: [ServiceInstance: Bool] = [:]
        var report: NowPlayingReport?
        var volume: Double?
        var isMuted = false
        var observers: [Int: @Sendable (Change) -> Void] = [:]
        var lastObserver = 0
        var command: CommandHandler?
        var timer: (any DispatchSourceTimer)?
        var playingOutputs = 0
        var holder: Holder?
        var lastHolder = 0
        var network: Task<Network?, Never>?
        var server: PlayerServer?
    }

    /// The output that has the connection to the receiver. A receiver plays one stream at a time.
    private struct Holder: Sendable {
        var id: Int
        var isPlaying: @Sendable () -> Bool
        var release: @Sendable () -> Void
    }

    private struct Network: Sendable {
        var discovery: MulticastDNS
        var browser: ReceiverBrowser
    }

    /// The routes of this process.
    package static let shared = MediaRoutes(.standard())

    /// The time between two looks at the file with the choice.
    private static let interval = DispatchTimeInterval.milliseconds(500)
    /// The number of looks, each after a pause, at whether another output has released the connection: 3 s.
    private static let releaseAttempts = 150
    private static let releasePause = Duration.milliseconds(20)
    /// The time to look for a receiver of video.
    private static let videoSearchTime = Duration.seconds(2)
    private static let volumeStep = 0.0625

    private let file: RouteFile
    private let queue = DispatchQueue(label: "hearth.media-routes")
    private let state: Mutex<State>

    /// Creates the routes of a file with the user's choice.
    package init(_ file: RouteFile) {
        self.file = file
        state = Mutex(State(choice: file.choice))
    }

    // MARK: Choice

    /// The user's choice.
    package var choice: RouteChoice { state.withLock { $0.choice } }

    /// Whether the app plays long-form content, for which the user's choice counts.
    package var isLongForm: Bool {
        get { state.withLock { $0.isLongForm } }
        set {
            let isChanged = state.withLock { state in
                defer { state.isLongForm = newValue }
                return state.isLongForm != newValue
            }
            if isChanged { notify(.policy) }
        }
    }

    /// The choice, if the app uses it now. `nil` if audio stays on this computer.
    package var active: RouteChoice? {
        state.withLock { state in
            state.isLongForm && state.choice.receiver != nil && state.failed != state.choice ? state.choice : nil
        }
    }

    /// The names of the receivers that the app uses now. Empty if audio stays on this computer.
    package var activeReceivers: [String] {
        guard let active else { return [] }
        let missing = state.withLock { $0.missing }
        return active.receivers.map(\.name).filter { !missing.contains($0) }
    }

    /// Records which receivers of a choice can't be reached, while others play.
    func setMissing(_ missing: Set<String>, of choice: RouteChoice) {
        let previous: Set<String>? = state.withLock { state in
            guard state.choice == choice, state.missing != missing else { return nil }
            defer { state.missing = missing }
            return state.missing
        }
        if let previous { notify(missing.isSubset(of: previous) ? .recovery : .loss) }
    }

    /// Records that the chosen receivers can't be reached.
    package func fail(_ choice: RouteChoice) {
        let isNew = state.withLock { state in
            defer {
                state.failed = choice
                state.missing = []
            }
            return state.failed != choice && state.choice == choice
        }
        if isNew { notify(.failure) }
    }

    /// Tries the chosen receiver again, because the app starts to play.
    package func retry() {
        state.withLock { $0.failed = nil }
    }

    /// Stores the user's choice of a receiver by its name; `nil` keeps audio on this computer.
    package func choose(_ receiver: String?, password: String? = nil) throws {
        try file.choose(receiver, password: password)
        update()
    }

    /// Reads the user's choice again.
    package func update() {
        let choice = file.choice
        let isChanged = state.withLock { state in
            guard state.choice != choice else { return false }
            state.choice = choice
            state.failed = nil
            state.missing = []
            return true
        }
        if isChanged { notify(.choice) }
    }

    /// Whether a player plays.
    package var isPlaying: Bool { state.withLock { $0.playingOutputs > 0 } }

    /// Counts the players that play.
    func countPlaying(_ change: Int) {
        state.withLock { $0.playingOutputs += change }
        if change > 0 { server.start() }
        notify(.playing)
    }

    /// What shows to the user's other programs what the app plays.
    package var server: PlayerServer {
        state.withLock { state in
            if let server = state.server { return server }
            let server = PlayerServer(self, file)
            state.server = server
            return server
        }
    }

    /// Takes the right to the connection to the receiver from an output that doesn't play. Returns its number, or `nil` if
    /// the other output plays.
    ///
    /// - Parameters:
    ///   - isPlaying: Whether the output plays.
    ///   - release: A closure that closes the connection, because another output needs it.
    func acquire(
        isPlaying: @escaping @Sendable () -> Bool,
        release: @escaping @Sendable () -> Void
    ) async -> Int? {
        for _ in 0..<Self.releaseAttempts {
            let (number, holder) = state.withLock { state -> (Int?, Holder?) in
                if let holder = state.holder { return (nil, holder) }
                state.lastHolder += 1
                state.holder = Holder(id: state.lastHolder, isPlaying: isPlaying, release: release)
                return (state.lastHolder, nil)
            }
            if let number { return number }
            if holder?.isPlaying() == true { return nil }
            holder?.release()
            try? await Task.sleep(for: Self.releasePause)
        }
        return nil
    }

    /// Gives the right to the connection back.
    func release(_ number: Int) {
        state.withLock { if $0.holder?.id == number { $0.holder = nil } }
    }

    /// Closes the connections of players that don't play.
    package func releaseReceivers() {
        notify(.release)
    }

    // MARK: Observers

    /// Calls a closure at changes. Returns the number with which to remove it.
    package func observe(_ change: @escaping @Sendable (Change) -> Void) -> Int {
        state.withLock { state in
            state.lastObserver += 1
            state.observers[state.lastObserver] = change
            if state.timer == nil {
                let timer = DispatchSource.makeTimerSource(queue: queue)
                timer.schedule(deadline: .now() + Self.interval, repeating: Self.interval, leeway: .milliseconds(100))
                timer.setEventHandler { [weak self] in self?.update() }
                timer.resume()
                state.timer = timer
            }
            return state.lastObserver
        }
    }

    /// Removes an observer.
    package func removeObserver(_ number: Int) {
        state.withLock { state in
            state.observers[number] = nil
            guard state.observers.isEmpty else { return }
            state.timer?.cancel()
            state.timer = nil
        }
    }

    func notify(_ change: Change) {
        queue.async { [self] in
            for observer in state.withLock({ $0.observers.sorted { $0.key < $1.key } }) { observer.value(change) }
        }
    }

    // MARK: Receivers

    /// The receivers on the network, once ``search()`` was called.
    package var receivers: [FoundReceiver] { state.withLock { $0.receivers } }

    /// The names of the receivers on the network that play video.
    package var videoReceivers: Set<String> {
        state.withLock { Set($0.videoReceivers.filter(\.value).keys.map(\.name)) }
    }

    /// Starts looking for receivers. Observers are told when there are any.
    package func search() {
        _ = network()
    }

    private func network() -> Task<Network?, Never> {
        state.withLock { state in
            if let network = state.network { return network }
            let interfaces = (state.choice.interfaces ?? []).map { InterfaceSelector($0) }
            let network = Task { [weak self] () -> Network? in
                guard let discovery = try? await MulticastDNS(interfaces: interfaces) else {
                    // Another call tries again, because the network may appear.
                    self?.state.withLock { $0.network = nil }
                    return nil
                }
                self?.followVideoReceivers(discovery)
                return Network(
                    discovery: discovery,
                    browser: ReceiverBrowser(discovery) { [weak self] in self?.update($0) }
                )
            }
            state.network = network
            return network
        }
    }

    private func followVideoReceivers(_ discovery: MulticastDNS) {
        guard let type = try? ServiceType(VideoService.type) else { return }
        let events = discovery.browse(type)
        Task { [weak self] in
            for await event in events {
                guard let self else { return }
                state.withLock { state in
                    switch event {
                    case .found(let service), .changed(let service):
                        state.videoReceivers[service.instance] = VideoService.playsVideo { service.txt[$0] }
                    case .gone(let instance): state.videoReceivers[instance] = nil
                    }
                }
                notify(.receivers)
            }
        }
    }

    private func update(_ receivers: [FoundReceiver]) {
        let isBack = state.withLock { state in
            let new = receivers.filter { !state.receivers.contains($0) }
            state.receivers = receivers
            guard let failed = state.failed, failed == state.choice, state.isLongForm,
                new.contains(where: { found in failed.receivers.contains { found.isNamed($0.name) } })
            else { return false }
            state.failed = nil
            return true
        }
        notify(.receivers)
        if isBack { notify(.recovery) }
    }

    /// Returns where commands of receivers are taken, or `nil` without a network.
    func discovery() async -> MulticastDNS? {
        await network().value?.discovery
    }

    /// Returns whether the first chosen receiver plays video.
    package func playsVideo(_ choice: RouteChoice) async -> Bool {
        await videoSender(of: choice) != nil
    }

    /// Returns a sender of addresses to the first chosen receiver, or `nil` if it plays none.
    func videoSender(of choice: RouteChoice) async -> VideoSender? {
        guard let name = choice.receivers.first?.name, let discovery = await network().value?.discovery,
            let type = try? ServiceType(VideoService.type),
            let service = try? await discovery.resolve(
                ServiceInstance(name: name, type: type),
                within: Self.videoSearchTime
            ),
            VideoService.playsVideo({ service.txt[$0] }), let host = service.addresses.first?.description
        else { return nil }
        return VideoSender(host: host, port: Int(service.port))
    }

    /// The pairings that the user has made with `hearth airplay route`. Read-only for apps.
    func pairings() -> SenderPairings? {
        let path = FileManager.default.fileExists(atPath: file.pairingsPath) ? file.pairingsPath : nil
        return (try? AirPlayPairingFile(sendersAt: path)).map { SenderPairings($0) }
    }

    /// Finds a chosen receiver, and selects the protocol and the encoding.
    ///
    /// - Throws: ``AirPlayNetworkError`` if it isn't found, or needs Apple's keys.
    func configuration(
        of receiver: RouteChoice.Receiver,
        _ pairings: SenderPairings
    ) async throws(AirPlayNetworkError) -> AirPlaySender.Configuration {
        var selection = StreamSelection(pairings)
        selection.version = receiver.version
        selection.needsPairing = receiver.isPaired == true
        selection.password = choice.password(of: receiver.name)
        if let host = receiver.host, let port = receiver.port {
            return selection.configuration(host: host, port: port, named: receiver.name)
        }
        guard let found = await network().value?.browser.receiver(named: receiver.name) else {
            throw .notFound(receiver.name)
        }
        return try selection.configuration(of: found)
    }

    // MARK: Reports and commands

    /// What the app reports about what it plays, or `nil`.
    package var report: NowPlayingReport? {
        get { state.withLock { $0.report } }
        set {
            state.withLock { $0.report = newValue }
            notify(.report)
        }
    }

    /// The volume, 0 to 1, or `nil` if nobody has set it; 0 if muted.
    package var volume: Double? {
        state.withLock { $0.isMuted ? 0 : $0.volume }
    }

    /// Sets the closure that handles the receiver's commands. It is called on any thread.
    package func setCommandHandler(_ command: @escaping CommandHandler) {
        state.withLock { $0.command = command }
    }

    /// Handles a command of a receiver. The volume is the system's affair, the rest is the app's.
    package func handle(_ command: RemoteCommand) async -> RemoteCommand.Result {
        switch command.rawValue {
        case "volumeup": changeVolume { $0.volume = min(($0.volume ?? 0.5) + Self.volumeStep, 1) }
        case "volumedown": changeVolume { $0.volume = max(($0.volume ?? 0.5) - Self.volumeStep, 0) }
        case "mutetoggle": changeVolume { $0.isMuted.toggle() }
        default: return await state.withLock { $0.command }?(command) ?? .failed
        }
        return .success
    }

    /// Sets the volume, 0 to 1.
    func setVolume(_ volume: Double) {
        changeVolume { ($0.volume, $0.isMuted) = (volume, false) }
    }

    private func changeVolume(_ change: (inout State) -> Void) {
        state.withLock { change(&$0) }
        notify(.volume)
    }
}
