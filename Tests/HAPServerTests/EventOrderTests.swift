import AccessoryCheck
import HAP
import HAPCatalog
import Testing

@testable import HAPServer

/// Tests the order of events and responses.
struct EventOrderTests {
    private static func subscription(_ ids: CharacteristicID...) -> String {
        let entries = ids.map { #"{"aid":\#($0.aid),"iid":\#($0.iid),"ev":true}"# }
        return #"{"characteristics":[\#(entries.joined(separator: ","))]}"#
    }

    @Test func noEventComesBetweenARequestsFirstByteAndItsResponse() async throws {
        try await TestServer.run { server in
            let connection = try await server.connect(as: TestServer.user)
            let id = try await server.id(.brightness)
            let button = try await server.id(.button)
            _ = try await connection.put("/characteristics", Self.subscription(id, button))
            let request = HTTPRequest(.get, "/characteristics?id=\(id)", host: "x").encoded()
            for value: Int64 in 1...5 {
                try await connection.send(Array(request.prefix(9)))
                // Wait until the server has received the start of the request, which delays the event.
                try await server.waitForPartialRequest()
                try await server.server.update(.integer(value), of: .brightness)
                try await server.server.update(.integer(0), of: .button)
                try await connection.send(Array(request.dropFirst(9)))
                guard case .response(let response)? = try await connection.next() else {
                    Issue.record("an event came before the response")
                    return
                }
                #expect(response.text.hasSuffix(#""value":\#(value)}]}"#))
                #expect(try await connection.event().contains(#""iid":\#(button.iid),"value":0"#))
                #expect(try await connection.event().contains(#""iid":\#(id.iid),"value":\#(value)"#))
            }
        }
    }

    @Test func eventsStandBetweenTheResponsesOfManyRequestsAtOnce() async throws {
        try await TestServer.run { server in
            let connection = try await server.connect(as: TestServer.user)
            let button = try await server.id(.button)
            _ = try await connection.put("/characteristics", Self.subscription(button))
            let request = HTTPRequest(.get, "/accessories", host: "x").encoded()
            var presses = 0
            for _ in 0..<20 {
                try await connection.send(Array(repeating: request, count: 20).flatMap { $0 })
                try await server.server.update(.integer(0), of: .button)
                for _ in 0..<20 { #expect(try await connection.response().status == .ok) }
                presses += 1
            }
            while connection.events.count < presses {
                let read = try await connection.get("/characteristics?id=\(button)")
                #expect(read.status == .ok)
            }
            #expect(connection.events.count == presses)
        }
    }

    @Test func everyPressThatWaitsIsToldInItsOrder() async throws {
        try await TestServer.run { server in
            let connection = try await server.connect(as: TestServer.user)
            let button = try await server.id(.button)
            _ = try await connection.put("/characteristics", Self.subscription(button))
            let request = HTTPRequest(.get, "/characteristics?id=\(button)", host: "x").encoded()
            try await connection.send(Array(request.prefix(9)))
            try await server.waitForPartialRequest()
            let values = (0..<ServerLimits.waitingPresses).map { Int64($0 % 3) }
            for value in values { try await server.server.update(.integer(value), of: .button) }
            try await connection.send(Array(request.dropFirst(9)))
            #expect(try await connection.response().status == .ok)
            for value in values {
                let expected = #"{"characteristics":[{"aid":1,"iid":\#(button.iid),"value":\#(value)}]}"#
                #expect(try await connection.event() == expected)
            }
        }
    }

    @Test func onePressMoreThanCanWaitEndsTheConnection() async throws {
        try await TestServer.run { server in
            let connection = try await server.connect(as: TestServer.user)
            let button = try await server.id(.button)
            _ = try await connection.put("/characteristics", Self.subscription(button))
            try await connection.send(Array("GET /".utf8))
            try await server.waitForPartialRequest()
            for _ in 0...ServerLimits.waitingPresses { try await server.server.update(.integer(0), of: .button) }
            #expect(try await connection.untilClosed().isEmpty)
            try await server.expectUnharmedButForPresses()
        }
    }

}

extension TestServer {
    /// Expects that an honest controller is served, regardless of the owner's events.
    fileprivate func expectUnharmedButForPresses() async throws {
        let honest = try await connect(as: TestServer.admin)
        #expect(try await honest.manage(.list) == .list(TestServer.pairings))
    }
}
