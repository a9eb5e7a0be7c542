import Foundation
import HomeStore
import HubAPI
import Logging
import PeerProcess
import Synchronization
import Testing

@testable import HomeHub

/// What a hub that leads carries out for the other one's clients, and how much of it at a time.
struct FollowerRequestsTests {
    /// The other hub's end, and a hub whose list of apps waits for permission and has a purpose of some length.
    private struct Fixture: Sendable {
        let requests: FollowerRequests
        let answers = AwaitableValue<[Int: LeaderAnswer]>([:])
        let sizes = AwaitableValue<[Int: Int]>([:])
        let isLet = AwaitableValue(true)
        let purposeLength = AwaitableValue(0)
        let refusal = AwaitableValue<HubError?>(nil)

        init() {
            var router = MethodRouter(owner: UUID())
            router.on(HubMethods.apps) { [isLet, purposeLength] _, _ in
                .deferred {
                    _ = try? await isLet.until(within: .seconds(150)) { $0 }
                    let purpose = String(repeating: "a", count: purposeLength.value)
                    return Apps(
                        apps: [Apps.App(id: "a", purpose: purpose, isAllowed: nil, isConnected: true, sockets: nil)]
                    )
                }
            }
            requests = FollowerRequests(
                FollowerRequests.Parts { [router] client, deliver in
                    let session = HubSession(
                        client.session,
                        as: client.authority,
                        aliases: AliasKey([0]),
                        router: router,
                        ledger: ReplyCache(store: nil),
                        watch: RequestObserver(methods: [], metrics: .none, log: Logger(label: "test")),
                        deliver: deliver,
                        onReturn: { _ in },
                        onClose: { _ in }
                    )
                    session.hello = client.hello
                    return session
                } admit: { [refusal] _ in
                    refusal.value
                }
            )
            requests.connect { [answers, sizes] bytes in
                guard let answer = LeaderAnswer(bytes) else { return false }
                answers.change { $0[answer.number] = answer }
                sizes.change { $0[answer.number] = bytes.count }
                return true
            }
        }

        /// A client, by the form in which it is told.
        static func client(_ id: UUID = UUID()) -> LeaderRequest.Client {
            let session = HubSession(
                id,
                as: SessionAuthority(user: UUID(), device: UUID(), client: .person),
                aliases: AliasKey([0]),
                router: MethodRouter(owner: UUID()),
                ledger: ReplyCache(store: nil),
                watch: RequestObserver(methods: [], metrics: .none, log: Logger(label: "test")),
                deliver: { _ in },
                onReturn: { _ in },
                onClose: { _ in }
            )
            return LeaderRequest.Client(session, Hello(app: "test.app", purpose: "Tests."))
        }

        func call(_ number: Int, of client: LeaderRequest.Client) {
            let call = LeaderRequest.Content.call(
                client,
                method: HubMethods.apps.name,
                key: nil,
                until: nil,
                parameters: Data("{}".utf8)
            )
            requests.receive(LeaderRequest(number: number, call).bytes)
        }

        /// Waits for the answer to a request, and returns its error.
        func code(_ number: Int) async throws -> HubError.Code? {
            let answer = try #require(try await answers.until { $0[number] != nil }[number])
            guard case .reply(let reply) = answer.content, case .failure(let error) = reply.result else { return nil }
            return error.code
        }
    }

    @Test func theOtherHubIsToldTheClockAndGetsReplies() async throws {
        let fixture = Fixture()
        #expect(fixture.answers.value[0]?.content == .clock)
        fixture.call(1, of: Fixture.client())
        #expect(try await fixture.code(1) == nil)
        fixture.refusal.change { $0 = JoinDesk.removed }
        fixture.call(2, of: Fixture.client())
        #expect(try await fixture.code(2) == .deviceRemoved)
        // Without a replicator, nothing is stored.
        fixture.requests.receive(LeaderRequest(number: 3, .change([1])).bytes)
        let answer = try await fixture.answers.until { $0[3] != nil }[3]
        guard case .failed(let error)? = answer?.content else {
            Issue.record("The change was stored.")
            return
        }
        #expect(error.code == .invalid)
    }

    @Test func asManyRequestsAsTheLimitAreOpenAndNoMore() async throws {
        let fixture = Fixture()
        fixture.isLet.change { $0 = false }
        let client = Fixture.client()
        for number in 1...LeaderLimits.requests { fixture.call(number, of: client) }
        fixture.call(LeaderLimits.requests + 1, of: client)
        #expect(try await fixture.code(LeaderLimits.requests + 1) == .tooManyRequests)
        fixture.isLet.change { $0 = true }
        for number in [1, LeaderLimits.requests] { #expect(try await fixture.code(number) == nil) }
    }

    @Test func asManySessionsAsTheLimitAreKnownAndNoMore() async throws {
        let fixture = Fixture()
        let clients = (0...LeaderLimits.sessions).map { _ in Fixture.client() }
        for (number, client) in clients.enumerated() {
            fixture.call(number + 1, of: client)
            let expected = number < LeaderLimits.sessions ? nil : HubError.Code.tooManyRequests
            #expect(try await fixture.code(number + 1) == expected)
        }
        // One that has ended makes room.
        fixture.requests.receive(LeaderRequest(number: 0, .end(clients[0].session)).bytes)
        fixture.call(clients.count + 1, of: clients[LeaderLimits.sessions])
        #expect(try await fixture.code(clients.count + 1) == nil)
    }

    @Test func aReplyIsAsLongAsTheLimitAtMost() async throws {
        let fixture = Fixture()
        let client = Fixture.client()
        fixture.call(1, of: client)
        #expect(try await fixture.code(1) == nil)
        let overhead = try #require(fixture.sizes.value[1])
        for (number, length) in [2: LeaderLimits.answerBytes - overhead, 3: LeaderLimits.answerBytes - overhead + 1] {
            fixture.purposeLength.change { $0 = length }
            fixture.call(number, of: client)
            #expect(try await fixture.code(number) == (number == 2 ? nil : .hubFailure))
        }
        #expect(fixture.sizes.value[2] == LeaderLimits.answerBytes)
    }
}
