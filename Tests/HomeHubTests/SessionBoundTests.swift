import AgeFile
import Foundation
import HomeModel
import HomeStore
import HubAPI
import Logging
import PeerProcess
import Synchronization
import Testing

@testable import HomeHub

/// The limits on what a client can have pending at a hub: each limit, and one more.
struct SessionBoundTests {
    private static let log = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })

    /// A session without a client, and the messages that it was sent.
    private struct Client: Sendable {
        let session: HubSession
        let replies = AwaitableValue<[Int: Result<Data, HubError>]>([:])

        init(_ router: MethodRouter = MethodRouter(owner: UUID()), user: UUID = UUID(), app: String = "test.app") {
            session = HubSession(
                as: SessionAuthority(user: user, device: UUID(), client: .person),
                aliases: AliasKey([0]),
                router: router,
                ledger: ReplyCache(store: nil),
                watch: RequestObserver(methods: [], metrics: .none, log: log),
                deliver: { [replies] message in
                    guard case .reply(let id, let reply) = message else { return }
                    replies.change { $0[id] = reply.result }
                },
                onReturn: { _ in },
                onClose: { _ in }
            )
            session.hello = Hello(app: app, purpose: "Tests.")
        }

        /// Sends a request for the list of apps, with parameters of a given size.
        func send(_ id: Int, size: Int = 2) {
            let name = HubMethods.apps.name
            let filling = String(repeating: " ", count: size - 2)
            session.receive(HubRequest(id: id, method: name, parameters: Data("{\(filling)}".utf8)))
        }

        func code(of id: Int) -> HubError.Code? {
            if case .failure(let error)? = replies.value[id] { error.code } else { nil }
        }
    }

    /// Returns a router whose list of apps waits for permission.
    private static func slowRouter(_ isLet: AwaitableValue<Bool>) -> MethodRouter {
        var router = MethodRouter(owner: UUID())
        router.on(HubMethods.apps) { _, _ in
            _ = try? await isLet.until(within: .seconds(150)) { $0 }
            return .done(Apps(apps: []))
        }
        return router
    }

    @Test func whatWaitsWhenADeviceIsRemovedIsNotCarriedOut() async throws {
        let isLet = AwaitableValue(false)
        let calls = AwaitableValue(0)
        var router = MethodRouter(owner: UUID())
        router.on(HubMethods.apps) { _, _ in
            calls.change { $0 += 1 }
            _ = try? await isLet.until(within: .seconds(150)) { $0 }
            return .done(Apps(apps: []))
        }
        let client = Client(router)
        for id in 0..<3 { client.send(id) }
        try await calls.until { $0 == 1 }
        client.session.revoke(JoinDesk.removed)
        isLet.change { $0 = true }
        // The session ends with its requests; only the first one was begun.
        for _ in 0..<1_000 { await Task.yield() }
        #expect(calls.value == 1 && client.session.isClosed)
    }

    // MARK: Requests

    @Test func requestsWithoutAReplyAreBoundedInNumber() async throws {
        let isLet = AwaitableValue(false)
        let client = Client(Self.slowRouter(isLet))
        for id in 1...SessionLimits.unansweredRequests { client.send(id) }
        #expect(client.replies.value.isEmpty)
        client.send(0)
        #expect(client.code(of: 0) == .tooManyRequests)
        isLet.change { $0 = true }
        try await client.replies.until { $0.count == SessionLimits.unansweredRequests + 1 }
        client.send(-1)
        try await client.replies.until { $0[-1] != nil }
        #expect(client.replies.value.values.count { (try? $0.get()) == nil } == 1)
    }

    @Test func requestsWithoutAReplyAreBoundedInBytes() async throws {
        let isLet = AwaitableValue(false)
        let client = Client(Self.slowRouter(isLet))
        let size = SessionLimits.unansweredBytes / 64
        let name = HubMethods.apps.name.utf8.count
        for id in 1...64 { client.send(id, size: size - name) }
        #expect(client.replies.value.isEmpty)
        client.send(0)
        #expect(client.code(of: 0) == .tooManyRequests)
        isLet.change { $0 = true }
        try await client.replies.until { $0.count == 65 }
        client.send(-1, size: size - name)
        try await client.replies.until { $0[-1] != nil }
        #expect(client.replies.value.values.count { (try? $0.get()) == nil } == 1)
    }

    @Test func repeatsThatWaitForOneResultAreBounded() {
        let ledger = ReplyCache(store: nil)
        let message = HubRequest(id: 1, method: "room.add", parameters: Data("{}".utf8))
        let sender = SessionAuthority(user: UUID(), device: UUID(), client: .person)
        let request = KeyedRequest(message, key: UUID(), from: sender, app: "test")
        let answers = Mutex<[Result<Data, HubError>]>([])
        let record: ReplyCache.Answer = { answer in answers.withLock { $0.append(answer.result) } }
        #expect(ledger.reserve(request, answer: record))
        for _ in 0..<SessionLimits.waitingRepeats { #expect(!ledger.reserve(request, answer: record)) }
        #expect(answers.withLock { $0.isEmpty })
        #expect(!ledger.reserve(request, answer: record))
        let refusal = answers.withLock { $0.removeFirst() }
        let error = #expect(throws: HubError.self) { try refusal.get() }
        #expect(error?.code == .tooManyRequests)
        ledger.complete(request.key, .success(Data("{}".utf8)))
        #expect(answers.withLock { $0.count } == SessionLimits.waitingRepeats)
    }

    @Test func whatAClientSaysOfItselfIsKeptAsFarAsItIsShown() async throws {
        try await withHub { hub in
            let greeted = AwaitableValue(false)
            let session = hub.accept(as: .person(on: hub)) { message in
                if case .reply = message { greeted.change { $0 = true } }
            }
            let seen = LogCursors(account: LogCursor(lineage: UUID(), revision: 0), homes: [:])
            let hello = Hello(app: "test", purpose: String(repeating: "p", count: 100_000), seen: seen)
            let parameters = try JSONEncoder().encode(hello)
            session.receive(HubRequest(id: 1, method: HubMethods.hello.name, parameters: parameters))
            try await greeted.until { $0 }
            #expect(session.hello?.purpose.count == HomeLimits.purposeLength + 1)
            #expect(session.hello?.seen == nil)
            let name = "hearth." + String(repeating: "a", count: HomeLimits.appIdentifierLength)
            let refusal = await #expect(throws: HubError.self) { _ = try await RecordingHubClient(to: hub, app: name) }
            #expect(refusal?.code == .appNotAllowed)
        }
    }

    // MARK: Questions

    private static func manager() -> QuestionManager {
        QuestionManager(
            activities: ActivityStream(),
            timeout: .seconds(600),
            now: { Date() },
            clock: ContinuousClock(),
            sharing: QuestionSharing(over: LeaderLine()),
            log: log
        )
    }

    /// Asks questions from several sessions, and waits until the questions are open.
    private static func ask(_ manager: QuestionManager, _ askers: [HubSession], text: String = "Who?") async {
        let open = await manager.count
        for asker in askers {
            Task { try? await manager.answers(to: draft(asker, text), for: asker) }
        }
        while await manager.count < open + askers.count { await Task.yield() }
    }

    private static func draft(_ asker: HubSession, _ text: String = "Who?") -> QuestionDraft {
        QuestionDraft(kind: .setupCode, text: text, audience: .person(asker.user), fields: [])
    }

    private static func refusal(_ manager: QuestionManager, _ asker: HubSession, text: String = "Who?") async
        -> HubError.Code?
    {
        do {
            _ = try await manager.answers(to: draft(asker, text), for: asker)
            return nil
        } catch {
            return error.code
        }
    }

    @Test func questionsOfAClientAreBoundedInNumber() async throws {
        let manager = Self.manager()
        let (client, other) = (Client().session, Client().session)
        await Self.ask(manager, Array(repeating: client, count: SessionLimits.openQuestions))
        #expect(await Self.refusal(manager, client) == .tooManyRequests)
        await Self.ask(manager, [other])
        await manager.sessionDidEnd(client.id)
        await Self.ask(manager, [client])
        #expect(await manager.count == 2)
        await manager.stop()
    }

    @Test func questionsOfAClientAreBoundedInBytes() async throws {
        let manager = Self.manager()
        let client = Client().session
        let half = String(repeating: "?", count: SessionLimits.openQuestionBytes / 2)
        await Self.ask(manager, [client, client], text: half)
        #expect(await Self.refusal(manager, client, text: "?") == .tooManyRequests)
        await manager.stop()
        #expect(await Self.refusal(manager, client, text: half + half + "?") == .tooManyRequests)
    }

    @Test func questionsOfAnAppAreBoundedOnAllItsConnections() async throws {
        let manager = Self.manager()
        let user = UUID()
        let clients = (0..<SessionLimits.openQuestionsPerApp).map { _ in Client(user: user).session }
        await Self.ask(manager, clients)
        #expect(await Self.refusal(manager, Client(user: user).session) == .tooManyRequests)
        await Self.ask(manager, [Client(user: user, app: "test.other").session, Client().session])
        await manager.stop()
    }

    @Test func questionsOfAllAreBoundedInNumberAndBytes() async throws {
        let manager = Self.manager()
        let clients = (0..<SessionLimits.openQuestionsInAll).map { Client(app: "test.\($0)").session }
        await Self.ask(manager, clients)
        #expect(await Self.refusal(manager, Client().session) == .notAllowedNow)
        await manager.stop()

        let count = SessionLimits.openQuestionBytesInAll / SessionLimits.openQuestionBytes
        let text = String(repeating: "?", count: SessionLimits.openQuestionBytes)
        await Self.ask(manager, Array(clients.prefix(count)), text: text)
        #expect(await Self.refusal(manager, Client().session, text: "?") == .notAllowedNow)
        await manager.stop()
    }

    // MARK: Messages

    @Test func aSessionSendsMessagesForAsLongAsItLives() {
        let client = Client()
        // Each message must cost the same stack, however many there were before it.
        for id in 0..<200_000 { client.session.deliver(.reply(id: id % 2, .success(Data()))) }
        #expect(client.replies.value.count == 2)
    }

    // MARK: Consent

    private static func refusal(_ turns: ConsentPromptQueue, _ subject: ConsentPromptQueue.Subject) async -> HubError
        .Code?
    {
        do {
            try await turns.acquire(subject)
            return nil
        } catch {
            return error.code
        }
    }

    @Test func connectionsThatWaitForConsentAreBounded() async throws {
        let turns = ConsentPromptQueue()
        let user = UUID()
        func wait(_ app: String, _ connections: Int) async {
            let count = await turns.count
            let subject = ConsentPromptQueue.Subject(user: user, app: app)
            for _ in 0..<connections { Task { try await turns.acquire(subject) } }
            while await turns.count < count + connections { await Task.yield() }
        }
        let first = ConsentPromptQueue.Subject(user: user, app: "0")
        for app in 0..<SessionLimits.consentsPerPerson / SessionLimits.consentsPerApp {
            await wait("\(app)", SessionLimits.consentsPerApp - 1)
            if app == 0 {
                await wait("0", 1)
                #expect(await Self.refusal(turns, first) == .notAllowedNow)
            } else {
                await wait("\(app)", 1)
            }
        }
        #expect(await turns.count == SessionLimits.consentsPerPerson)
        let another = ConsentPromptQueue.Subject(user: user, app: "another")
        #expect(await Self.refusal(turns, another) == .notAllowedNow)
        #expect(await Self.refusal(turns, ConsentPromptQueue.Subject(user: UUID(), app: "another")) == nil)
        await turns.release(first)
        #expect(await Self.refusal(turns, another) == nil)
        for app in 0..<SessionLimits.consentsPerPerson / SessionLimits.consentsPerApp {
            let subject = ConsentPromptQueue.Subject(user: user, app: "\(app)")
            for _ in 0..<SessionLimits.consentsPerApp { await turns.release(subject) }
        }
    }

    @Test func appsAboutWhichAPersonDeclinedToDecideAreBounded() async {
        let turns = ConsentPromptQueue()
        let user = UUID()
        let subjects = (0...SessionLimits.declinedApps).map { ConsentPromptQueue.Subject(user: user, app: "\($0)") }
        for subject in subjects.dropLast() { await turns.decline(subject) }
        await turns.decline(subjects[1])
        #expect(await turns.isDeclined(subjects[0]))
        await turns.decline(subjects[SessionLimits.declinedApps])
        #expect(await !turns.isDeclined(subjects[0]))
        #expect(await turns.isDeclined(subjects[1]))
        #expect(await turns.isDeclined(subjects[SessionLimits.declinedApps]))
    }

    // MARK: Backups

    @Test func backupsThatAreKeptForConnectionsAreBounded() async throws {
        try await withDataFolder { folder in
            let store = try await HomeStore.open(at: folder.appending(path: "hub"))
            let owner = UUID()
            let manager = BackupManager(
                store: store,
                folder: folder.appending(path: "outgoing"),
                owner: owner,
                work: ScryptWorkFactor(exponent: 1),
                log: Self.log
            )
            var router = MethodRouter(owner: owner)
            manager.register(in: &router)
            let parameters = try JSONEncoder().encode(CreateBackup(passphrase: "a"))
            var clients: [Client] = []
            func refusal(_ client: Client) async throws -> HubError.Code? {
                client.replies.change { $0 = [:] }
                client.session.receive(HubRequest(id: 1, method: HubMethods.makeBackup.name, parameters: parameters))
                try await client.replies.until { $0[1] != nil }
                return client.code(of: 1)
            }
            for _ in 0..<SessionLimits.keptBackups {
                let client = Client(router, user: owner)
                clients.append(client)
                #expect(try await refusal(client) == nil)
            }
            let last = Client(router, user: owner)
            #expect(try await refusal(last) == .notAllowedNow)
            // Another backup replaces the connection's previous one.
            #expect(try await refusal(clients[0]) == nil)
            await manager.sessionDidEnd(clients[1].session.id)
            #expect(try await refusal(last) == nil)
            try await store.close()
        }
    }

    // MARK: Unread messages

    @Test func aClientInTheProcessThatTakesNothingGetsAResetInPlaceOfEvents() async throws {
        try await withHub { hub in
            let limits = Backlog.Limits(events: 1 << 14, total: 1 << 26)
            let transport = InProcessTransport(to: hub, as: .person(on: hub), limits: limits)
            let isTaking = AwaitableValue(true)
            let events = AwaitableValue<[HubEvent.Name]>([])
            let isGreeted = AwaitableValue(false)
            let gate = DispatchSemaphore(value: 0)
            transport.open { message in
                if case .reply = message { isGreeted.change { $0 = true } }
                if case .event(let event) = message {
                    if !isTaking.value, events.value.last != .change { gate.wait() }
                    events.change { $0.append(event.name) }
                }
            }
            let hello = try JSONEncoder().encode(Hello(app: "test.slow", purpose: "Tests."))
            transport.send(HubRequest(id: 1, method: HubMethods.hello.name, parameters: hello))
            try await isGreeted.until { $0 }
            isTaking.change { $0 = false }
            let probe = try await RecordingHubClient(to: hub)
            let home = try await probe.call(HubMethods.addHome, AddHome(name: "Villa")).id
            for number in 0..<200 {
                _ = try await probe.call(HubMethods.addRoom, InHome(home, AddRoom(name: "Room \(number)")))
            }
            isTaking.change { $0 = true }
            gate.signal()
            let taken = try await events.until { $0.count(where: { $0 == .reset }) == 2 }
            #expect(taken.count { $0 == .change } < 100)
            transport.close()
        }
    }

    @Test func aClientInTheProcessThatTakesNoRepliesIsLetGoOf() async throws {
        try await withHub { hub in
            let limits = Backlog.Limits(events: 1 << 14, total: 1 << 14)
            let transport = InProcessTransport(to: hub, as: .person(on: hub), limits: limits)
            let gate = DispatchSemaphore(value: 0)
            let end = AwaitableValue<HubError?>(nil)
            let count = AwaitableValue(0)
            transport.open { message in
                if case .reply = message {
                    if count.value == 0 { gate.wait() }
                    count.change { $0 += 1 }
                }
                if case .closed(let error) = message { end.change { $0 = error } }
            }
            for id in 1...1_000 {
                transport.send(HubRequest(id: id, method: "no.such", parameters: Data("{}".utf8)))
            }
            while !transport.isDisconnected { await Task.yield() }
            gate.signal()
            let error = try await end.until { $0 != nil }
            #expect(error?.code == .connectionLost)
            #expect(count.value < 1_000)
        }
    }
}
