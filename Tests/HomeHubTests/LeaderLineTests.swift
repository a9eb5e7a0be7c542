import Foundation
import HomeModel
import HomeStore
import HubAPI
import Logging
import PeerProcess
import Replication
import Synchronization
import Testing

@testable import HomeHub

/// What a hub passes on to the other one, which leads, and the answers.
struct LeaderLineTests {
    /// The other hub's end.
    private final class Leader: Sendable {
        // This is a class because the line's closure and the test share it.

        private let requests = Mutex<[LeaderRequest]>([])

        var received: [LeaderRequest] { requests.withLock { $0 } }

        func connect(_ line: LeaderLine, clock: Int64 = RunningClock.now) {
            line.connect { bytes in
                guard let request = LeaderRequest(bytes) else { return false }
                self.requests.withLock { $0.append(request) }
                return true
            }
            line.receive(LeaderAnswer(number: 0, place: 0, clock: clock, .clock).bytes)
        }

        func answer(_ line: LeaderLine, _ number: Int, place: Int = 0, _ text: String = "{}") {
            let reply = LeaderAnswer.Content.reply(.success(Data(text.utf8)))
            line.receive(LeaderAnswer(number: number, place: place, clock: RunningClock.now, reply).bytes)
        }
    }

    /// The answers, in order, and what was carried out here.
    private final class Outcome: Sendable {
        // This is a class because closures and the test share it.

        private let state = Mutex<(answers: [String], here: [Int])>(([], []))

        var answers: [String] { state.withLock { $0.answers } }
        var here: [Int] { state.withLock { $0.here } }

        func pass(_ index: Int, on line: LeaderLine, size: Int = 1, of session: UUID? = nil) -> Bool {
            line.pass(.change([UInt8](repeating: 7, count: size)), of: session) {
                self.state.withLock { $0.here.append(index) }
            } completion: { answer in
                let text =
                    switch answer {
                    case .success: "\(index) done"
                    case .failure(let failure): "\(index) \(failure)"
                    }
                self.state.withLock { $0.answers.append(text) }
            }
        }
    }

    private static func following(leaderTime: Duration = .seconds(600)) -> LeaderLine {
        let line = LeaderLine(leaderTime: leaderTime, followTime: .seconds(600))
        line.change(to: .following(UUID()))
        return line
    }

    @Test func aHubThatIsAloneOrLeadsPassesNothingOn() {
        let (line, outcome) = (LeaderLine(), Outcome())
        #expect(line.isLeading)
        #expect(!outcome.pass(1, on: line))
        line.change(to: .withoutLeader)
        #expect(!line.isLeading)
        line.change(to: .leading(term: 1))
        #expect(!outcome.pass(2, on: line))
        #expect(outcome.answers.isEmpty && outcome.here.isEmpty)
    }

    @Test func anAnswerWaitsUntilThisHubHasWhatItDependsOn() {
        let (line, leader, outcome) = (Self.following(), Leader(), Outcome())
        leader.connect(line)
        #expect(outcome.pass(1, on: line))
        #expect(outcome.pass(2, on: line))
        let numbers = leader.received.map(\.number)
        #expect(numbers.count == 2)
        leader.answer(line, numbers[1], place: 6)
        leader.answer(line, numbers[0], place: 7)
        #expect(outcome.answers.isEmpty)
        line.didApply(through: 6)
        #expect(outcome.answers == ["2 done"])
        line.didApply(through: 7)
        #expect(outcome.answers == ["2 done", "1 done"])
        // What is there already isn't waited for.
        #expect(outcome.pass(3, on: line))
        leader.answer(line, leader.received[2].number, place: 7)
        #expect(outcome.answers.last == "3 done")
    }

    @Test func requestsWaitForALeaderInOrder() async throws {
        let line = LeaderLine(leaderTime: .seconds(600))
        line.change(to: .withoutLeader)
        let outcome = Outcome()
        for index in 1...3 { #expect(outcome.pass(index, on: line)) }
        line.change(to: .leading(term: 1))
        try await Wait.until("this hub carries them out") { outcome.here == [1, 2, 3] }
        try await Wait.until("nothing waits any more") { line.isLeading }
        #expect(outcome.answers.isEmpty)
        line.change(to: .withoutLeader)
        for index in 4...5 { #expect(outcome.pass(index, on: line)) }
        let leader = Leader()
        line.change(to: .following(UUID()))
        #expect(leader.received.isEmpty)
        leader.connect(line)
        #expect(leader.received.count == 2)
        #expect(outcome.here == [1, 2, 3])
    }

    @Test func withoutALeaderARequestEndsInTime() async throws {
        let line = Self.following(leaderTime: .milliseconds(1))
        let outcome = Outcome()
        #expect(outcome.pass(1, on: line))
        try await Wait.until("the request has ended") { outcome.answers == ["1 noLeader"] }
        #expect(LeaderLine.Failure.noLeader.error.code == .noLeader)
        #expect(LeaderLine.Failure.noLeader.storeError.code == .notLeader)
    }

    @Test func whatWasSentAndHasNoAnswerMayHaveHappened() {
        let (line, leader, outcome) = (Self.following(), Leader(), Outcome())
        leader.connect(line)
        #expect(outcome.pass(1, on: line))
        line.disconnect()
        #expect(outcome.answers == ["1 lost"])
        #expect(LeaderLine.Failure.lost.storeError.code == .unknownOutcome)
        // A late answer changes nothing.
        leader.answer(line, leader.received[0].number)
        leader.connect(line)
        #expect(outcome.pass(2, on: line))
        line.change(to: .withoutLeader)
        #expect(outcome.answers == ["1 lost", "2 lost"])
    }

    @Test func theExpiryOfARequestIsByTheLeadersClock() throws {
        let (line, leader) = (Self.following(), Leader())
        let ahead: Int64 = 1_000_000
        leader.connect(line, clock: RunningClock.now + ahead)
        let until = RunningClock.now + 5_000
        let hello = Hello(app: "test", purpose: "Tests.")
        let client = LeaderRequest.Client(
            HubSession(
                as: SessionAuthority(user: UUID(), device: UUID(), client: .device, way: .away),
                aliases: AliasKey([0]),
                router: MethodRouter(owner: UUID()),
                ledger: ReplyCache(store: nil),
                watch: RequestObserver(methods: [], metrics: .none, log: .init(label: "test")),
                deliver: { _ in },
                onReturn: { _ in },
                onClose: { _ in }
            ),
            hello
        )
        let call = LeaderRequest.Content.call(
            client,
            method: "m",
            key: UUID(),
            until: until,
            parameters: Data("{}".utf8)
        )
        let isPassed = line.pass(call, of: client.session, here: {}, completion: { _ in })
        #expect(isPassed)
        guard case .call(let told, _, _, let expiry?, _)? = leader.received.first?.content else {
            Issue.record("The request wasn't passed on.")
            return
        }
        #expect(told == client)
        #expect(
            told.authority == SessionAuthority(user: client.user, device: client.device, client: .device, way: .away)
        )
        // A delay makes it earlier, and never later.
        #expect(expiry <= until + ahead)
        #expect(expiry > until)
        line.sessionDidEnd(client.session)
        #expect(leader.received.last?.content == .end(client.session))
    }

    @Test func aSessionThatHasEndedPassesNothingMoreOn() {
        let line = LeaderLine(leaderTime: .seconds(600))
        line.change(to: .withoutLeader)
        let (outcome, leader, session) = (Outcome(), Leader(), UUID())
        #expect(outcome.pass(1, on: line, of: session))
        #expect(outcome.pass(2, on: line))
        line.sessionDidEnd(session)
        #expect(outcome.answers == ["1 noLeader"])
        line.change(to: .following(UUID()))
        leader.connect(line)
        #expect(leader.received.count == 1)
    }

    @Test func asManyRequestsAsTheLimitWaitAndNoMore() {
        let (line, leader, outcome) = (Self.following(), Leader(), Outcome())
        leader.connect(line)
        for index in 1...LeaderLimits.requests { #expect(outcome.pass(index, on: line)) }
        #expect(outcome.answers.isEmpty)
        #expect(outcome.pass(0, on: line))
        #expect(outcome.answers == ["0 tooMuch"])
        leader.answer(line, leader.received[0].number)
        #expect(outcome.pass(LeaderLimits.requests + 1, on: line))
        #expect(outcome.answers == ["0 tooMuch", "1 done"])
    }

    @Test func asManyBytesAsTheLimitWaitAndNoMore() {
        let (line, leader, outcome) = (Self.following(), Leader(), Outcome())
        leader.connect(line)
        let header = LeaderRequest(number: 0, .change([])).bytes.count
        for index in 1...2 { #expect(outcome.pass(index, on: line, size: LeaderLimits.requestBytes / 2 - header)) }
        #expect(outcome.answers.isEmpty)
        #expect(outcome.pass(0, on: line, size: 1))
        #expect(outcome.answers == ["0 tooMuch"])
    }

    @Test func aRequestIsAsLongAsTheLimitAtMost() {
        let (line, leader, outcome) = (Self.following(), Leader(), Outcome())
        leader.connect(line)
        let header = LeaderRequest(number: 0, .change([])).bytes.count
        // The number may be longer by then.
        let room = LeaderLimits.messageBytes - header - LeaderLine.numberBytes
        #expect(outcome.pass(1, on: line, size: room))
        #expect(outcome.answers.isEmpty && leader.received.count == 1)
        #expect(outcome.pass(2, on: line, size: room + 1))
        #expect(outcome.answers == ["2 tooMuch"])
        let long = LeaderRequest(number: 1, .change([UInt8](repeating: 7, count: LeaderLimits.messageBytes))).bytes
        #expect(LeaderRequest(long) == nil)
        #expect(LeaderRequest(LeaderRequest(number: 1, .change([1])).bytes) != nil)
    }

    @Test func anAnswerSurvivesTheWay() throws {
        let place = LogPlace(home: UUID(), lineage: UUID(), revision: 3)
        let contents: [LeaderAnswer.Content] = [
            .reply(HubReply(.success(Data(#"{"a":"\n"}"#.utf8)), follows: [place])),
            .reply(.failure(HubError(.keyReused, "Used."))),
            .stored,
            .failed(StoreError(.conflict, "Decide again.")),
        ]
        for content in contents {
            let answer = LeaderAnswer(number: 4, place: 9, clock: 77, content)
            #expect(LeaderAnswer(answer.bytes) == answer)
        }
        let clock = LeaderAnswer(number: 0, place: 0, clock: 1, .clock)
        #expect(LeaderAnswer(clock.bytes) == clock)
        #expect(LeaderAnswer(Array("x\n".utf8)) == nil)
        #expect(LeaderRequest([]) == nil)
    }

    @Test func theOtherHubIsAskedWhetherItLeadsOrNotAndOnlyWhileItIsConnected() throws {
        let (line, leader) = (LeaderLine(), Leader())
        let answers = Mutex<[String]>([])
        func ask() {
            line.ask(.end(UUID()), of: UUID()) { answer in
                let text =
                    switch answer {
                    case .success: "done"
                    case .failure(let failure): "\(failure)"
                    }
                answers.withLock { $0.append(text) }
            }
        }
        ask()
        #expect(answers.withLock { $0 } == ["noLeader"])
        line.change(to: .leading(term: 1))
        leader.connect(line)
        ask()
        #expect(leader.received.count == 1)
        leader.answer(line, try #require(leader.received.first).number)
        #expect(answers.withLock { $0 } == ["noLeader", "done"])
        line.change(to: .withoutLeader)
        ask()
        #expect(leader.received.count == 2)
        line.disconnect()
        #expect(answers.withLock { $0 } == ["noLeader", "done", "lost"])
    }

    @Test func thePageHasTheLimits() throws {
        let page = try PeerPython.packageRoot().appending(path: "Documentation/TwoHubs.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        let rows = [
            ("requests", LeaderLimits.requests), ("requestBytes", LeaderLimits.requestBytes),
            ("messageBytes", LeaderLimits.messageBytes), ("answerBytes", LeaderLimits.answerBytes),
            ("sessions", LeaderLimits.sessions), ("leaderTime", Int(LeaderLimits.leaderTime / .seconds(1))),
            ("followTime", Int(LeaderLimits.followTime / .seconds(1))),
        ]
        let section = text.components(separatedBy: "\n## Limits of Requests\n").last ?? ""
        for (name, limit) in rows { #expect(section.contains("| `\(name)` | \(limit) |")) }
        let questions = text.components(separatedBy: "\n## Limits of Questions\n").last ?? ""
        #expect(questions.contains("| `newsBytes` | \(QuestionSharing.newsBytes) |"))
        #expect(questions.contains("| `questions` | \(QuestionSharing.questions) |"))
    }
}
