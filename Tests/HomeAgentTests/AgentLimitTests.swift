import Foundation
import HomeModel
import HubAPI
import Logging
import Testing

@testable import HomeAgent

/// The agent's own limits, at the limit and one past it. `Documentation/Limits.md` lists them.
struct AgentLimitTests {
    private static func hello(_ app: String) -> Hello { Hello(app: app, purpose: "Tests.") }

    private static func code(_ body: () throws(HubError) -> Void) -> HubError.Code? {
        do throws(HubError) {
            try body()
            return nil
        } catch {
            return error.code
        }
    }

    @Test func questionsAboutAppsAreBounded() throws {
        var consent = AppConsent()
        for index in 0..<AgentLimits.openQuestions {
            _ = try consent.ask(about: Self.hello("app \(index)"), for: UUID(), until: .now)
        }
        let further = Self.code { () throws(HubError) in
            _ = try consent.ask(about: Self.hello("one more"), for: UUID(), until: .now)
        }
        #expect(further == .notAllowedNow)
        for _ in 1..<AgentLimits.waitingConnections {
            let question = try consent.ask(about: Self.hello("app 0"), for: UUID(), until: .now)
            #expect(question == nil)
        }
        let waiting = Self.code { () throws(HubError) in
            _ = try consent.ask(about: Self.hello("app 0"), for: UUID(), until: .now)
        }
        #expect(waiting == .notAllowedNow)
        let closed = consent.close(about: "app 0")
        #expect(closed?.sessions.count == AgentLimits.waitingConnections)
        let next = try consent.ask(about: Self.hello("one more"), for: UUID(), until: .now)
        #expect(next != nil)
    }

    @Test func aQuestionThatIsRenewedWaitsLonger() throws {
        var consent = AppConsent()
        let start = Date(timeIntervalSince1970: 0)
        let asked = try consent.ask(about: Self.hello("app"), for: UUID(), until: start.addingTimeInterval(120))
        let id = try #require(asked).id
        let isRenewed = consent.renew(id, until: start.addingTimeInterval(180))
        #expect(isRenewed)
        let left = consent.expire(id, at: start.addingTimeInterval(120)).left
        #expect(left == 60)
        #expect(consent.questions.count == 1)
        let closed = consent.expire(id, at: start.addingTimeInterval(180)).closed
        #expect(closed?.question == id)
        #expect(consent.questions.isEmpty)
        let isRenewedAgain = consent.renew(id, until: start)
        #expect(!isRenewedAgain)
    }

    @Test func theOldestSessionsAreForgotten() {
        let hub = UUID()
        let entries = (0...AgentLimits.rememberedSessions).map { _ in
            RememberedSessions.Entry(
                session: UUID(),
                hub: hub,
                connection: PreviousConnection(run: UUID(), client: UUID())
            )
        }
        let remembered = RememberedSessions(entries)
        func isKnown(_ entry: RememberedSessions.Entry, at hub: UUID) -> Bool {
            let previous = PreviousConnection(run: UUID(), client: entry.session)
            guard case .known(let connection) = remembered.former(previous, at: hub) else { return false }
            return connection == entry.connection
        }
        #expect(!isKnown(entries[0], at: hub))
        #expect(isKnown(entries[1], at: hub) && entries.last.map { isKnown($0, at: hub) } == true)
        #expect(!isKnown(entries[1], at: UUID()))
        #expect(remembered.entries == Array(entries.dropFirst()))
    }

    @Test func theFileOfSessionsIsReadAsFarAsItCanBe() throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "hearth-agent-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: directory) }
        let folder = try AgentFolder(at: directory)
        #expect(folder.rememberedSessions().isEmpty)
        let entries = (0..<3).map { _ in
            RememberedSessions.Entry(
                session: UUID(),
                hub: UUID(),
                connection: PreviousConnection(run: UUID(), client: UUID())
            )
        }
        for entry in entries { try folder.append(entry) }
        #expect(folder.rememberedSessions() == entries)
        // A full disk may have cut the last line.
        let file = directory.appending(path: "sessions")
        try Data(contentsOf: file).dropLast(10).write(to: file)
        #expect(folder.rememberedSessions() == Array(entries.dropLast()))
        try folder.store([entries[2]])
        #expect(folder.rememberedSessions() == [entries[2]])
    }

    @Test func settingsOfTheFirstVersionAreRead() throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "hearth-agent-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: directory) }
        let folder = try AgentFolder(at: directory)
        let lineage = UUID()
        let text = """
            {"apps":[{"id":"com.example.lights","purpose":"Tests.","isAllowed":false}],"notices":[],
             "choices":{"lineage":"\(lineage.uuidString)","revision":3}}
            """
        try Data(text.utf8).write(to: directory.appending(path: "agent.json"))
        let settings = try folder.settings()
        #expect(settings.choices == AccountChoices(lineage: lineage, revision: 3))
        #expect(settings.apps.map(\.isAllowed) == [false])
        #expect(settings.sockets.isEmpty && settings.introductions.isEmpty)
    }

    @Test func theOldestIntroductionsAreForgotten() {
        var introductions = Introductions(done: [])
        let peers = (0...AgentLimits.introductions).map { _ in Introductions.Peer(hub: UUID(), device: UUID()) }
        let hub = UUID()
        for peer in peers { _ = introductions.vouched(for: peer, at: hub, key: "", nil) }
        #expect(introductions.done.count == AgentLimits.introductions)
        #expect(introductions.done.map(\.device) == peers.dropFirst().map(\.device))
        introductions.forget(hub)
        #expect(introductions.done.isEmpty)
    }

    @Test func socketsOfAppsAreBounded() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "hearth-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(
            at: folder,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700]
        )
        defer { try? FileManager.default.removeItem(at: folder) }
        try await AgentLab.run { lab in
            await lab.agent.openAppSockets()
            let person = lab.command()
            try await person.welcome()
            func add(_ index: Int) async -> HubError.Code? {
                let socket = AppSocket(path: folder.appending(path: "\(index).sock").path)
                return await person.refusal(HubMethods.openAppSocket, OpenAppSocket(id: "app \(index)", socket: socket))
            }
            for index in 0..<AgentLimits.appSockets { #expect(await add(index) == nil) }
            #expect(await add(AgentLimits.appSockets)?.rawValue == "limitExceeded")
            let first = AppSocketTarget(path: folder.appending(path: "0.sock").path)
            _ = try await person.call(HubMethods.closeAppSocket, first)
            #expect(await add(AgentLimits.appSockets) == nil)
            #expect(await add(1)?.rawValue == "alreadyAdded")
            await lab.agent.closeAppSockets()
            #expect(await add(0) == .notAllowedNow)
        }
    }
}
