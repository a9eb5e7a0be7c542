import Foundation
import HomeModel
import HubAPI

/// A session of a device with several hubs, or with none: one list of homes, each of which belongs to one hub.
///
/// Each hub within reach has a connection of its own. Requests go to the hub of their home. What a hub says about its homes
/// passes unchanged; what it says about the list of homes becomes a change of the merged list, at the same place in the
/// order. As in a pipe, the loss of a hub in use ends the session, and a hub that returns catches up in it.
struct MergedHomes: SessionRouting {
    private enum BranchPhase {
        case away
        /// The hub has not answered the hello. The events came before the answer.
        case opening(Int, [HubEvent], isReturn: Bool)
        case near(Int)
    }

    private struct Branch {
        var hub: UUID
        var phase = BranchPhase.away
        var account: Account
        /// What the client has seen of the hub's logs, until the hub tells more.
        var seen: LogCursors
        var homes: Set<UUID>
        /// What the copy has; `nil` once it was shown.
        var copy: Snapshot?
        var standing: HubStanding
        /// Why no connection can be opened although the hub is there, if the hub or the relay has said so.
        var refusal: HubError?
    }

    /// A request that went to several hubs.
    private struct Shared {
        var method: String
        var missing: Set<UUID>
        var results: [(hub: UUID, reply: HubReply)] = []
    }

    /// The methods that concern each hub, because they aren't about one home.
    private static let sharedMethods: Set<String> = [
        HubMethods.questions.name, HubMethods.startBrowsing.name, HubMethods.stopBrowsing.name,
        HubMethods.startBrowsingUnconfigured.name, HubMethods.stopBrowsingUnconfigured.name,
        HubMethods.enterBackground.name, HubMethods.enterForeground.name, HubMethods.followJournal.name,
        HubMethods.findAccessory.name,
    ]

    private struct Target: Decodable {
        var home: UUID?
        var id: UUID?
    }

    /// The ID of the agent's own requests to hubs. Clients' IDs are small.
    private static let ownRequest = Int.min
    /// The maximum number of questions and discovered accessories whose hub is remembered.
    private static let rememberedObjects = 4_096

    private let client: SessionClient
    private var commands: SentCommands
    private var branches: [Branch] = []
    private var choices = AccountChoices(lineage: UUID(), revision: 0)
    private var records: [Record] = []
    private var lastConnection = 0
    private var isResuming = false
    private var welcomes: [UUID: Welcome] = [:]
    private var shared: [Int: Shared] = [:]
    /// The hub of each question and discovered accessory.
    private var owners: [UUID: UUID] = [:]
    private var isInBackground = false
    private var isPaused = false

    private(set) var isGreeted = false

    init(_ client: SessionClient) {
        self.client = client
        commands = SentCommands(client.hello)
    }

    private var merged: MergedAccount {
        MergedAccount(
            parts: branches.map { MergedAccount.Part(hub: $0.hub, account: $0.account, cursor: $0.seen.account) },
            choices: choices
        )
    }

    // MARK: Start

    mutating func start(_ view: SessionView) -> [SessionAction] { start(view, canResume: true) }

    private mutating func start(_ view: SessionView, canResume: Bool) -> [SessionAction] {
        choices = view.choices()
        let hubs = view.hubs
        branches = hubs.compactMap { hub in
            let error = hub.isNear ? nil : hub.error
            guard let copy = hub.copy.snapshot(for: client.hello.app, client.kind, because: error) else { return nil }
            return Branch(
                hub: hub.id,
                account: Account(user: hub.id, records: copy.account.records),
                seen: LogCursors(copy),
                homes: Set(copy.homes.keys),
                copy: copy,
                standing: hub.standing
            )
        }
        records = merged.records
        isResuming = canResume && resumes(client.hello.seen)
        if isResuming, let seen = client.hello.seen {
            for index in branches.indices {
                branches[index].seen.homes = seen.homes.filter { branches[index].homes.contains($0.key) }
            }
        }
        var actions: [SessionAction] = []
        for index in branches.indices where branches[index].standing.state == .near {
            let former = client.hello.former.flatMap { previous -> PreviousConnection? in
                let former = view.former(previous, branches[index].hub)
                return if case .known(let connection) = former { connection } else { nil }
            }
            actions += open(index, former: former, isReturn: false)
        }
        return actions.isEmpty ? finishStart(view) : actions
    }

    /// Returns whether a client can go on from what it has seen.
    private func resumes(_ seen: LogCursors?) -> Bool {
        guard let seen, seen.account == merged.cursor else { return false }
        return branches.allSatisfy { branch in
            let part = LogCursors(
                account: branch.seen.account,
                homes: seen.homes.filter { branch.homes.contains($0.key) }
            )
            return branch.standing.state == .near
                ? part.homes.count == branch.homes.count : part.isUpToDate(with: branch.seen)
        }
    }

    private mutating func open(_ index: Int, former: PreviousConnection?, isReturn: Bool) -> [SessionAction] {
        lastConnection += 1
        let homes = branches[index].homes
        var subscriptions = client.hello.subscriptions
        subscriptions?.filterAccessories { home, _ in homes.contains(home) }
        guard
            let hello = client.hello(
                Self.ownRequest,
                seen: branches[index].seen,
                former: former,
                subscriptions: subscriptions
            )
        else { return [] }
        branches[index].phase = .opening(lastConnection, [], isReturn: isReturn)
        return [
            .open(lastConnection, hub: branches[index].hub), .send(hello, on: lastConnection),
            .startTimeout(lastConnection),
        ]
    }

    private mutating func finishStart(_ view: SessionView) -> [SessionAction] {
        let isWaiting = branches.contains { if case .opening = $0.phase { welcomes[$0.hub] == nil } else { false } }
        guard !isGreeted, !isWaiting else { return [] }
        var actions: [SessionAction] = []
        let isReset = branches.contains { branch in
            guard case .opening(_, let events, _) = branch.phase else { return false }
            return events.contains(where: \.isReset)
        }
        if isReset, isResuming {
            // One hub starts over, so the client does, with the homes of all of them.
            for branch in branches {
                if case .opening(let connection, _, _) = branch.phase { actions.append(.close(connection)) }
            }
            welcomes = [:]
            return actions + start(view, canResume: false)
        }
        for index in branches.indices where isAway(index) {
            branches[index].standing.state = .away
            actions.append(.deliver(.event(.standing(branches[index].standing))))
        }
        actions += isResuming ? resumption() : reset()
        isGreeted = true
        let runs = branches.compactMap { welcomes[$0.hub]?.run }
        let run = runs.reduce(choices.lineage) { UUID(nameSpace: $0, name: $1.uuidString) }
        for branch in branches {
            guard let welcome = welcomes[branch.hub], let id = welcome.client else { continue }
            let connection = PreviousConnection(run: welcome.run, client: id)
            actions.append(.remember(connection, of: client.session, hub: branch.hub))
        }
        let welcome = Welcome(
            run: run,
            client: client.session,
            keepsRequests: true,
            isAssistant: client.hello.isAssistant
        )
        return actions + [client.reply(welcome, view)]
    }

    private func isAway(_ index: Int) -> Bool {
        if case .away = branches[index].phase { true } else { false }
    }

    /// Shows all homes: from the copies, and then what the hubs said since.
    private mutating func reset() -> [SessionAction] {
        var whole = Snapshot(
            account: Snapshot.Log(merged.cursor, records),
            homes: [:],
            values: KnownValues(),
            reachability: []
        )
        var later: [(index: Int, event: HubEvent)] = []
        for index in branches.indices {
            var part = branches[index].copy
            branches[index].copy = nil
            if case .opening(let connection, let events, _) = branches[index].phase {
                branches[index].phase = .near(connection)
                for event in events {
                    if case .reset(let snapshot) = event {
                        part = snapshot
                        later.removeAll { $0.index == index }
                        adopt(snapshot, index)
                    } else {
                        later.append((index, event))
                    }
                }
            }
            guard let part else { continue }
            whole.homes.merge(part.homes) { first, _ in first }
            whole.values.merge(part.values)
            whole.reachability += part.reachability
            whole.runs += part.runs
        }
        records = merged.records
        whole.account = Snapshot.Log(merged.cursor, records)
        var actions: [SessionAction] = [.deliver(.event(.reset(whole)))]
        for (index, event) in later { actions += route(event, index) }
        return actions
    }

    private mutating func adopt(_ snapshot: Snapshot, _ index: Int) {
        branches[index].account = Account(user: branches[index].hub, records: snapshot.account.records)
        branches[index].seen = LogCursors(snapshot)
        branches[index].homes = Set(snapshot.homes.keys)
    }

    /// Shows what a client missed.
    private mutating func resumption() -> [SessionAction] {
        var live = LiveSnapshot(values: KnownValues(), reachability: [])
        var actions: [SessionAction] = []
        for index in branches.indices {
            let copy = branches[index].copy
            branches[index].copy = nil
            if case .opening(let connection, let events, _) = branches[index].phase {
                branches[index].phase = .near(connection)
                for event in events {
                    if case .resumed(let part) = event {
                        live.values.merge(part.values)
                        live.reachability += part.reachability
                        live.runs += part.runs
                    } else {
                        actions += route(event, index)
                    }
                }
            } else if let copy {
                live.values.merge(copy.values)
                live.reachability += copy.reachability
                live.runs += copy.runs
            }
        }
        return actions + [.deliver(.event(.resumed(live)))]
    }

    // MARK: From hubs

    mutating func received(_ message: HubMessage, on connection: Int, _ view: SessionView) -> [SessionAction] {
        guard let index = index(of: connection) else { return [] }
        switch (branches[index].phase, message) {
        case (.opening(let number, let events, let isReturn), .event(let event)):
            branches[index].phase = .opening(number, events + [event], isReturn: isReturn)
            return []
        case (.opening(_, let events, let isReturn), .reply(_, let reply)):
            guard case .success(let body) = reply.result,
                let welcome = try? MessageJSON.decode(Welcome.self, from: body), welcome.mismatch == nil
            else { return [.close(connection)] + failedToOpen(index, view) }
            welcomes[branches[index].hub] = welcome
            branches[index].refusal = nil
            guard isReturn else { return finishStart(view) }
            return returned(index, connection, events, welcome, view)
        case (.opening, .closed(let error)):
            branches[index].refusal = error.isSaid ? error : nil
            return [.suspect(branches[index].hub)] + failedToOpen(index, view)
        case (.near, .event(.reset)):
            // A reset replaces everything, and the other hubs' homes aren't in it.
            return end(HubError(.connectionLost, "The homes must be loaded again."))
        case (.near, .event(let event)):
            return route(event, index)
        case (.near, .reply(Self.ownRequest, _)):
            return []
        case (.near, .reply(let id, let reply)):
            return replied(id, reply, index)
        case (.near, .closed(let error)) where error.code == .deviceRemoved:
            // The agent is told so too, and ends the session once it has forgotten the hub.
            branches[index].phase = .away
            return [.suspect(branches[index].hub)]
        case (.near, .closed(let error)):
            return commands.lose(branches[index].hub) + [.suspect(branches[index].hub)] + end(error)
        case (.away, _):
            return []
        }
    }

    private func index(of connection: Int) -> Int? {
        branches.firstIndex { branch in
            switch branch.phase {
            case .opening(connection, _, _), .near(connection): true
            default: false
            }
        }
    }

    private mutating func failedToOpen(_ index: Int, _ view: SessionView) -> [SessionAction] {
        guard case .opening(_, _, let isReturn) = branches[index].phase else { return [] }
        branches[index].phase = .away
        if isReturn { return catchUp(view) }
        if let hub = view.hub(branches[index].hub) {
            branches[index].copy = hub.copy.snapshot(for: client.hello.app, client.kind, because: hub.error)
        }
        return finishStart(view)
    }

    private mutating func returned(
        _ index: Int,
        _ connection: Int,
        _ events: [HubEvent],
        _ welcome: Welcome,
        _ view: SessionView
    ) -> [SessionAction] {
        guard !events.contains(where: \.isReset) else {
            return [.close(connection)] + end(HubError(.connectionLost, "The homes must be loaded again."))
        }
        branches[index].phase = .near(connection)
        branches[index].standing.state = .near
        branches[index].standing.asOf = nil
        branches[index].standing.isSilent = nil
        var actions: [SessionAction] = []
        if let id = welcome.client {
            let upstream = PreviousConnection(run: welcome.run, client: id)
            actions.append(.remember(upstream, of: client.session, hub: branches[index].hub))
        }
        let standing = SessionAction.deliver(.event(.standing(branches[index].standing)))
        for event in events {
            if case .resumed = event { actions.append(standing) }
            actions += route(event, index)
        }
        if isInBackground { actions.append(own(HubMethods.enterBackground.name, on: connection)) }
        let hub = branches[index].hub
        let isRelayed = view.hub(hub)?.isRelayed == true
        return actions
            + commands.release(for: hub, on: connection, in: welcome.run, isRelayed: isRelayed, view)
    }

    /// Returns what the client hears of a hub's event.
    private mutating func route(_ event: HubEvent, _ index: Int) -> [SessionAction] {
        switch event {
        case .change(let change) where change.home == nil:
            branches[index].account.apply(change.change)
            branches[index].seen.follow(change)
            return listChange(change.change.verb, change.change.subjects, isMine: change.isMine)
        case .change(let change):
            branches[index].seen.follow(change)
            if let home = change.home { branches[index].homes.insert(home) }
        case .homeGone(let home):
            branches[index].homes.remove(home)
            branches[index].seen.homes[home] = nil
        case .resumed(let live):
            var actions: [SessionAction] = []
            if !live.values.isEmpty { actions.append(.deliver(.event(.values(live.values.updates)))) }
            if !live.reachability.isEmpty { actions.append(.deliver(.event(.reachability(live.reachability)))) }
            if !live.runs.isEmpty { actions.append(.deliver(.event(.runs(live.runs)))) }
            return actions
        case .asked(let question): remember(question.id, branches[index].hub)
        case .questionClosed(let id): owners[id] = nil
        case .discovered(let accessory): remember(accessory.id, branches[index].hub)
        case .unconfigured(let accessory): remember(accessory.id, branches[index].hub)
        default: break
        }
        return [.deliver(.event(event))]
    }

    private mutating func remember(_ object: UUID, _ hub: UUID) {
        if owners.count >= Self.rememberedObjects { owners = [:] }
        owners[object] = hub
    }

    /// Returns the change of the merged list.
    private mutating func listChange(_ verb: Verb, _ subjects: [UUID], isMine: Bool) -> [SessionAction] {
        let merged = merged
        let effects = merged.effects(from: records)
        records = merged.records
        let cursor = merged.cursor
        let change = LogChange(
            home: nil,
            lineage: cursor.lineage,
            revision: cursor.revision,
            change: Change(verb: verb, subjects: subjects, effects: effects),
            isMine: isMine
        )
        return [.deliver(.event(.change(change)))]
    }

    private mutating func replied(_ id: Int, _ reply: HubReply, _ index: Int) -> [SessionAction] {
        var reply = reply
        let cursor = merged.cursor
        for place in reply.follows.indices where reply.follows[place].home == nil {
            reply.follows[place] = LogPlace(home: nil, lineage: cursor.lineage, revision: cursor.revision)
        }
        guard var part = shared[id], part.missing.remove(branches[index].hub) != nil else {
            return commands.answer(id, .reply(id: id, reply))
        }
        if part.method == HubMethods.questions.name, case .success(let body) = reply.result,
            let questions = try? MessageJSON.decode(Questions.self, from: body)
        {
            for question in questions.questions { remember(question.id, branches[index].hub) }
        }
        part.results.append((branches[index].hub, reply))
        shared[id] = part.missing.isEmpty ? nil : part
        guard part.missing.isEmpty else { return [] }
        return [.deliver(.reply(id: id, Self.combined(part)))]
    }

    private static func combined(_ part: Shared) -> HubReply {
        let bodies = part.results.compactMap { try? $0.reply.result.get() }
        if part.method == HubMethods.questions.name, !bodies.isEmpty {
            let questions = bodies.compactMap { try? MessageJSON.decode(Questions.self, from: $0) }
            let all = Questions(questions: questions.flatMap(\.questions).sorted { $0.expires < $1.expires })
            return HubReply(Result { try MessageJSON.encode(all) }.mapError { HubError(.hubFailure, "\($0)") })
        }
        let success = part.results.first { if case .success = $0.reply.result { true } else { false } }
        let any = success ?? part.results.first
        return any?.reply ?? .failure(HubError(.hubAway, "No hub can be reached."))
    }

    // MARK: From the client

    mutating func receive(_ request: HubRequest, _ view: SessionView) -> [SessionAction] {
        switch request.method {
        case HubMethods.enterBackground.name: isInBackground = true
        case HubMethods.enterForeground.name: isInBackground = false
        case HubMethods.setPrimaryHome.name: return [.serve(request)]
        default: break
        }
        if Self.sharedMethods.contains(request.method) { return share(request, view) + catchUp(view) }
        let target = try? JSONDecoder().decode(Target.self, from: request.parameters)
        let index: Int?
        if let home = target?.home {
            index = branches.firstIndex { $0.homes.contains(home) }
        } else if let owner = target?.id.flatMap({ owners[$0] }) {
            index = branches.firstIndex { $0.hub == owner }
        } else {
            index = ownHub(view)
        }
        // A home that no hub has is a matter for any hub, which knows how to refuse it.
        guard let index = index ?? ownHub(view) else {
            let error = HubError(.hubAway, "This device belongs to no home. Join one with “hearth join”.")
            return [client.reply(toAway: request, error)]
        }
        let hub = branches[index].hub
        guard case .near(let connection) = branches[index].phase else {
            if let actions = commands.hold(request, for: hub, view) { return actions + [.suspect(hub)] }
            let known = branches[index].refusal ?? view.hub(hub)?.error
            let error = known ?? HubError(.hubAway, "The hub can't be reached.")
            // Somebody wants the hub now, so it is tried before its turn.
            return [client.reply(toAway: request, error), .suspect(hub)]
        }
        let isRelayed = view.hub(hub)?.isRelayed == true
        return commands.send(request, on: connection, to: hub, in: welcomes[hub]?.run, isRelayed: isRelayed, view)
    }

    private mutating func share(_ request: HubRequest, _ view: SessionView) -> [SessionAction] {
        var actions: [SessionAction] = []
        var part = Shared(method: request.method, missing: [])
        for branch in branches {
            guard case .near(let connection) = branch.phase else { continue }
            part.missing.insert(branch.hub)
            actions.append(.send(request, on: connection))
        }
        if actions.isEmpty {
            let error = view.hubs.first?.error ?? HubError(.hubAway, "This device belongs to no home.")
            return [client.reply(toAway: request, error)]
        }
        shared[request.id] = part
        return actions
    }

    /// The hub where the person is at home: the first one at which they own a home, otherwise the first.
    private func ownHub(_ view: SessionView) -> Int? {
        let hubs = view.hubs
        let own = branches.firstIndex { branch in
            hubs.first { $0.id == branch.hub }?.copy.ownsHome == true
        }
        return own ?? branches.indices.first
    }

    mutating func setPaused(_ isPaused: Bool, _ view: SessionView) -> [SessionAction] {
        self.isPaused = isPaused
        guard !isInBackground else { return [] }
        let method = isPaused ? HubMethods.enterBackground : HubMethods.enterForeground
        let actions = branches.compactMap { branch -> SessionAction? in
            guard case .near(let connection) = branch.phase else { return nil }
            return own(method.name, on: connection)
        }
        return actions + catchUp(view)
    }

    private func own(_ method: String, on connection: Int) -> SessionAction {
        .send(HubRequest(id: Self.ownRequest, method: method, parameters: Data("{}".utf8)), on: connection)
    }

    // MARK: The feed

    mutating func hubTold(_ hub: UUID, _ news: FeedNews, _ view: SessionView) -> [SessionAction] {
        guard let state = view.hub(hub) else { return [] }
        guard let index = branches.firstIndex(where: { $0.hub == hub }) else {
            guard isGreeted, state.copy.isComplete else { return [] }
            return end(HubError(.connectionLost, "The device's homes have changed."))
        }
        guard case .away = branches[index].phase else { return [] }
        guard isGreeted else {
            // What is shown of the hub was looked at before.
            return news.steps.isEmpty ? [] : end(HubError(.connectionLost, "The homes must be loaded again."))
        }
        guard !isInBackground, !isPaused else { return [] }
        branches[index].standing = state.standing
        guard !news.steps.isEmpty else { return [.deliver(.event(.standing(state.standing)))] }
        // The list of homes has a position of its own, so events change the branch's as they are shown.
        var seen = branches[index].seen
        let events = news.steps.flatMap { $0.events(for: client, &seen, because: state.error) }
        guard !events.contains(where: \.isReset) else {
            return end(HubError(.connectionLost, "The homes must be loaded again."))
        }
        return events.flatMap { route($0, index) }
    }

    /// Ends the session if a copy has got something while the client didn't hear of it. The client loads the homes again.
    private mutating func catchUp(_ view: SessionView) -> [SessionAction] {
        guard isGreeted, !isInBackground, !isPaused else { return [] }
        let isBehind = branches.contains { branch in
            guard case .away = branch.phase, let hub = view.hub(branch.hub), let cursors = hub.copy.hub.seen else {
                return false
            }
            return !branch.seen.isUpToDate(with: cursors)
        }
        return isBehind ? end(HubError(.connectionLost, "The homes must be loaded again.")) : []
    }

    // MARK: Hubs come and go

    mutating func timedOut(_ connection: Int, _ view: SessionView) -> [SessionAction] {
        guard let index = index(of: connection), case .opening = branches[index].phase else { return [] }
        return [.close(connection), .suspect(branches[index].hub)] + failedToOpen(index, view)
    }

    mutating func answerIsDue(_ key: UUID, _ view: SessionView) -> [SessionAction] { commands.answerIsDue(key) }

    mutating func hubDidChange(_ hub: UUID, _ view: SessionView) -> [SessionAction] {
        guard let state = view.hub(hub) else { return [] }
        guard let index = branches.firstIndex(where: { $0.hub == hub }) else {
            // Its homes are seen for the first time.
            guard isGreeted, state.isNear else { return [] }
            return end(HubError(.connectionLost, "The device's homes have changed."))
        }
        switch (branches[index].phase, state.isNear) {
        case (.away, true) where isGreeted:
            return open(index, former: nil, isReturn: true)
        case (.opening(let connection, _, _), false):
            return [.close(connection)] + failedToOpen(index, view)
        case (.near, false):
            return commands.lose(hub) + end(state.error)
        default:
            return []
        }
    }

    mutating func hubIsGone(_ hub: UUID, homes: [UUID], _ view: SessionView) -> [SessionAction] {
        guard branches.contains(where: { $0.hub == hub }) else { return [] }
        let standing = HubStanding(hub: hub, homes: homes, state: .gone, since: Date())
        return [.deliver(.event(.standing(standing)))] + homes.map { .deliver(.event(.homeGone($0))) }
            + end(HubError(.connectionLost, "This device no longer belongs to the home."))
    }

    mutating func choicesDidChange(by session: UUID, _ view: SessionView) -> [SessionAction] {
        guard isGreeted else { return [] }
        choices = view.choices()
        return listChange(.primaryHomeChanged, choices.primary.map { [$0] } ?? [], isMine: session == client.session)
    }

    private mutating func end(_ error: HubError) -> [SessionAction] {
        [.end(HubError(.connectionLost, error.reason))]
    }
}
