import Foundation
import HomeHub
import HubAPI
import Testing

struct SessionTests {
    @Test func nothingIsAnsweredBeforeTheGreeting() async throws {
        try await withHub { hub in
            let connection = HubConnection(over: InProcessTransport(to: hub, as: .person(on: hub))) { _ in }
            let error = await #expect(throws: HubError.self) {
                try await connection.call(HubMethods.addHome, AddHome(name: "My Home"))
            }
            #expect(error?.code == .notGreeted)
        }
    }

    @Test(arguments: [Int.min, HubProtocol.version - 2, HubProtocol.version + 2, Int.max])
    func aClientTwoVersionsApartIsRefusedAndToldWhichSideToUpgrade(version: Int) async throws {
        try await withHub { hub in
            let connection = HubConnection(over: InProcessTransport(to: hub, as: .person(on: hub))) { _ in }
            let error = await #expect(throws: HubError.self) {
                try await connection.call(HubMethods.hello, Hello(version: version, app: "test", purpose: "Tests."))
            }
            #expect(error?.code == .versionMismatch)
            let older = version < HubProtocol.version ? "app" : "hub"
            #expect(error?.reason.hasSuffix("Upgrade the \(older).") == true)
            #expect(error?.reason.contains(" \(version) ") == true)
        }
    }

    @Test(arguments: [-1, 1])
    func aClientOneVersionApartIsWelcome(difference: Int) async throws {
        try await withHub { hub in
            let connection = HubConnection(over: InProcessTransport(to: hub, as: .person(on: hub))) { _ in }
            let hello = Hello(version: HubProtocol.version + difference, app: "test", purpose: "Tests.")
            let welcome = try await connection.call(HubMethods.hello, hello)
            #expect(welcome.version == HubProtocol.version)
        }
    }

    @Test func aSecondGreetingIsRefused() async throws {
        try await withHub { hub in
            let probe = try await RecordingHubClient(to: hub)
            let refusal = try await probe.refusal(HubMethods.hello, Hello(app: "test", purpose: "Tests."))
            #expect(refusal == "malformedMessage")
        }
    }

    @Test func anUnknownMethodAndWrongParametersAreNamed() async throws {
        try await withHub { hub in
            let (replies, continuation) = AsyncStream.makeStream(of: HubMessage.self)
            let session = hub.accept(as: .person(on: hub)) { continuation.yield($0) }
            let hello = try JSONEncoder().encode(Hello(app: "test", purpose: "Tests."))
            session.receive(HubRequest(id: 1, method: "session.hello", parameters: hello))
            session.receive(HubRequest(id: 2, method: "room.paint", parameters: Data("{}".utf8)))
            session.receive(HubRequest(id: 3, method: "room.add", parameters: Data(#"{"home":7}"#.utf8)))
            session.receive(HubRequest(id: 4, method: "room.add", parameters: Data("{".utf8)))
            var errors: [Int: HubError] = [:]
            for await message in replies {
                guard case .reply(let id, let reply) = message else { continue }
                if case .failure(let error) = reply.result { errors[id] = error }
                if id == 4 { break }
            }
            #expect(errors[1] == nil)
            #expect(errors[2]?.code == .unknownMethod)
            #expect(errors[3]?.code == .malformedMessage)
            #expect(errors[3]?.reason.contains("home") == true)
            #expect(errors[4]?.code == .malformedMessage)
            session.close()
        }
    }

    @Test func stoppingTheHubEndsItsSessions() async throws {
        let (ends, continuation) = AsyncStream.makeStream(of: HubError.self)
        try await withHub { hub in
            let connection = HubConnection(over: InProcessTransport(to: hub, as: .person(on: hub)), onEvent: { _ in }) {
                continuation.yield($0)
            }
            _ = try await connection.call(HubMethods.hello, Hello(app: "test", purpose: "Tests."))
            await hub.stop()
            for await end in ends {
                #expect(end.code == .connectionLost)
                break
            }
            await #expect(throws: HubError.self) {
                try await connection.call(HubMethods.addHome, AddHome(name: "My Home"))
            }
        }
    }
}
