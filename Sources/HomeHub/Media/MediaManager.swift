import AirPlay
import AirPlayNetwork
import DNSSD
import Foundation
import HomeModel
import HubAPI
import MediaRouting

/// Shows what plays on the hub's machine and where, and takes the user's choice of a receiver and commands for apps.
///
/// It looks for apps while somebody follows it, and for receivers only while somebody chooses one.
actor MediaManager: HubPart {
    /// The time between two looks at the user's choice and for new apps, as apps look at the choice.
    private static let interval = Duration.milliseconds(500)
    /// The maximum number of receivers to list. Any device in a network can advertise very many.
    private static let receiverLimit = 64
    /// The maximum length of a receiver's name and of its password, in bytes.
    static let textLimit = 255

    /// What plays, and when the players' times were right.
    struct Picture: Hashable {
        var state = MediaState()
        var arrivals: [UUID: ContinuousClock.Instant] = [:]
    }

    private let file: RouteFile?
    private let network: any ServiceDiscovery
    private let questions: QuestionManager
    private var followers: [HubSession.ID: HubSession] = [:]
    private var choosers: Set<HubSession.ID> = []
    private var sent: [HubSession.ID: Picture] = [:]
    private var directory: PlayerDirectory?
    private var browser: ReceiverBrowser?
    private var looking: Task<Void, Never>?

    /// Creates the part.
    ///
    /// - Parameters:
    ///   - file: The file with the user's choice, beside which the apps' sockets are; `nil` if the hub shows no audio.
    ///   - network: The home's network, in which receivers are looked for.
    ///   - questions: The questions for the passwords and PINs of receivers.
    init(_ file: RouteFile?, network: any ServiceDiscovery, questions: QuestionManager) {
        self.file = file
        self.network = network
        self.questions = questions
    }

    nonisolated func register(in router: inout MethodRouter) {
        router.on(HubMethods.followMedia) { (_, session) async throws(HubError) in
            try await self.follow(session)
            return .done(Empty())
        }
        router.on(HubMethods.startBrowsingMedia) { (_, session) async throws(HubError) in
            try await self.startBrowsing(session)
            return .done(Empty())
        }
        router.on(HubMethods.stopBrowsingMedia) { (_, session) async throws(HubError) in
            await self.stopBrowsing(session.id)
            return .done(Empty())
        }
        router.on(HubMethods.chooseRoute) { (choice, session) async throws(HubError) in
            .deferred { () async throws(HubError) in try await self.choose(choice, session) }
        }
        router.on(HubMethods.commandMedia) { (call, session) async throws(HubError) in
            .deferred { () async throws(HubError) in try await self.perform(call) }
        }
        router.on(HubMethods.setMediaVolume) { (call, session) async throws(HubError) in
            .deferred { () async throws(HubError) in try await self.setVolume(call) }
        }
        router.on(HubMethods.mediaArtwork) { (target, session) async throws(HubError) in
            .deferred { () async throws(HubError) in try await self.artwork(of: target.player) }
        }
    }

    func sessionDidEnd(_ session: HubSession.ID) async {
        followers[session] = nil
        sent[session] = nil
        await stopBrowsing(session)
        if followers.isEmpty { await stop() }
    }

    func stop() async {
        looking?.cancel()
        looking = nil
        browser = nil
        let directory = directory.take()
        await directory?.close()
    }
}

// MARK: Following

extension MediaManager {
    private func follow(_ session: HubSession) async throws(HubError) {
        let file = try audioFile
        followers[session.id] = session
        if directory == nil {
            directory = PlayerDirectory(file) { [weak self] in
                Task { [weak self] in await self?.send() }
            }
            looking = Task { [weak self] in
                while !Task.isCancelled {
                    await self?.look()
                    try? await Task.sleep(for: Self.interval)
                }
            }
        }
        sent[session.id] = nil
        await send()
        // The session may have closed before it was added.
        if session.isClosed { await sessionDidEnd(session.id) }
    }

    private func look() async {
        await directory?.update()
        await send()
    }

    private func startBrowsing(_ session: HubSession) async throws(HubError) {
        _ = try audioFile
        choosers.insert(session.id)
        if browser == nil {
            browser = ReceiverBrowser(network) { [weak self] _ in
                Task { [weak self] in await self?.send() }
            }
        }
        if followers[session.id] == nil { try await follow(session) } else { await send() }
        await directory?.present(true)
    }

    private func stopBrowsing(_ session: HubSession.ID) async {
        guard choosers.remove(session) != nil else { return }
        if choosers.isEmpty {
            browser = nil
            await directory?.present(false)
        }
        await send()
    }

    private var audioFile: RouteFile {
        get throws(HubError) {
            if let file { return file }
            throw HubError(.noAudio, "This hub doesn't show what plays on its machine.")
        }
    }

    /// Sends the present state to those who haven't got it.
    private func send() async {
        let players = await directory?.players ?? []
        let receivers = await browser?.receivers ?? []
        guard let file else { return }
        var picture = Picture()
        picture.state.routes = file.choice.receivers.map(\.name)
        picture.state.players = players.map { MediaPlayer($0) }
        picture.arrivals = Dictionary(uniqueKeysWithValues: players.map { ($0.id, $0.arrival) })
        for (id, session) in followers {
            var own = picture
            if choosers.contains(id) {
                own.state.receivers = receivers.prefix(Self.receiverLimit).map { MediaReceiver($0) }
            }
            guard sent[id] != own else { continue }
            sent[id] = own
            session.deliver(.event(.media(own.current)))
        }
    }
}

// MARK: Calls

extension MediaManager {
    private func choose(_ choice: ChooseRoute, _ session: HubSession) async throws(HubError) -> Empty {
        let file = try audioFile
        try Self.check(choice)
        var password = choice.password
        if let receiver = choice.receiver, choice.change != .remove,
            let found = await browser?.receivers.first(where: { $0.isNamed(receiver) })
        {
            try checkRoom(for: choice, in: file)
            let prompts = ReceiverPrompts(
                file: file,
                questions: questions,
                session: session,
                reference: choice.reference
            )
            password = try await prompts.admit(found, as: receiver, password: choice.password)
        }
        try checkRoom(for: choice, in: file)
        do {
            switch (choice.receiver, choice.change) {
            case (let receiver?, .add): try file.add(receiver, password: password)
            case (let receiver?, .remove): try file.remove(receiver)
            case (let receiver, _): try file.choose(receiver, password: receiver == nil ? nil : password)
            }
        } catch {
            throw HubError(.storeFailure, "The choice can't be stored in \(file.path). Check its permissions.")
        }
        await send()
        return Empty()
    }

    private static func check(_ choice: ChooseRoute) throws(HubError) {
        guard [choice.receiver, choice.password].compactMap(\.self).allSatisfy(isText) else {
            let reason = "A receiver's name and its password have 1 to \(textLimit) bytes."
            throw HubError(HomeError(.invalidParameter, reason))
        }
        guard choice.receiver != nil || (choice.change ?? .only) == .only else {
            throw HubError(HomeError(.invalidParameter, "Name the receiver to add or to remove."))
        }
        let limit = SetUpAccessories.referenceLength
        guard (choice.reference?.unicodeScalars.count ?? 0) <= limit else {
            throw HubError(HomeError(.invalidParameter, "A reference has at most \(limit) characters."))
        }
    }

    /// Returns whether a text can be a receiver's name or its password.
    static func isText(_ text: String) -> Bool {
        (1...textLimit).contains(text.utf8.count) && !text.contains("\0")
    }

    private func checkRoom(for choice: ChooseRoute, in file: RouteFile) throws(HubError) {
        guard let receiver = choice.receiver, choice.change == .add else { return }
        let current = file.choice
        let limit = AirPlayGroup.memberLimit
        guard current.contains(receiver) || current.receivers.count < limit else {
            let reason = "At most \(limit) receivers can play in step. Remove one first."
            throw HubError(HomeError(.limitExceeded, reason, limit: limit))
        }
    }

    private func perform(_ call: CommandMedia) async throws(HubError) -> Empty {
        guard let command = PlayerCommand(rawValue: call.command) else {
            let names = PlayerCommand.allCases.map(\.rawValue).joined(separator: ", ")
            throw HubError(HomeError(.invalidParameter, "The command must be one of \(names)."))
        }
        let players = await directory?.players ?? []
        guard let player = players.first(where: { $0.id == call.player }),
            player.status.commands.contains(command.rawValue),
            await directory?.perform(command, on: call.player) == true
        else { throw Self.playerGone }
        return Empty()
    }

    private func setVolume(_ call: SetMediaVolume) async throws(HubError) -> Empty {
        guard (0...1).contains(call.volume) else {
            throw HubError(HomeError(.invalidParameter, "The volume must be 0 to 1, not \(call.volume)."))
        }
        guard await directory?.setVolume(call.volume, of: call.player) == true else { throw Self.playerGone }
        return Empty()
    }

    private func artwork(of player: UUID) async throws(HubError) -> MediaArtwork {
        guard let artwork = await directory?.artwork(of: player) else { throw Self.playerGone }
        return MediaArtwork(number: artwork.number, type: artwork.type, data: artwork.data)
    }

    private static let playerGone = HubError(
        .playerGone,
        "The app has ended, or has nothing to do this with. Follow what plays to see its commands."
    )
}

extension MediaManager.Picture {
    /// The state, with the players' times of now.
    fileprivate var current: MediaState {
        var state = state
        for index in state.players.indices where state.players[index].isPlaying {
            let player = state.players[index]
            guard let elapsed = player.elapsed, let arrival = arrivals[player.id] else { continue }
            let time = elapsed + (ContinuousClock.now - arrival) / .seconds(1)
            state.players[index].elapsed = min(time, player.duration ?? time)
        }
        return state
    }
}

extension MediaPlayer {
    fileprivate init(_ player: PlayerDirectory.Player) {
        let status = player.status
        self.init(
            id: player.id,
            app: status.app,
            isPlaying: status.isPlaying,
            isRouted: status.isRouted,
            prioritizesVideo: status.prioritizesVideo,
            title: status.title,
            artist: status.artist,
            album: status.album,
            artwork: status.artwork,
            elapsed: status.elapsed,
            duration: status.duration,
            volume: status.volume,
            commands: status.commands
        )
    }
}

extension MediaReceiver {
    fileprivate init(_ receiver: FoundReceiver) {
        self.init(
            id: receiver.record.deviceID,
            name: receiver.record.name,
            playsVideo: receiver.playsVideo,
            needsPassword: receiver.record.needsPassword,
            needsPIN: StreamSelection.needsPIN(receiver.record)
        )
    }
}
