import AccessoryCheck
import HAP
import HAPCatalog
import Testing

@testable import HAPServer

struct EventTests {
    private static func subscribe(_ ids: [CharacteristicID], _ events: Bool = true) -> String {
        let entries = ids.map { #"{"aid":\#($0.aid),"iid":\#($0.iid),"ev":\#(events)}"# }
        return #"{"characteristics":[\#(entries.joined(separator: ","))]}"#
    }

    private static func write(_ id: CharacteristicID, _ value: String) -> String {
        #"{"characteristics":[{"aid":\#(id.aid),"iid":\#(id.iid),"value":\#(value)}]}"#
    }

    private static func event(_ id: CharacteristicID, _ value: String) -> String {
        write(id, value)
    }

    @Test func aWriteIsAnEventToOthersAndNotToTheWriter() async throws {
        try await TestServer.run { server in
            let writer = try await server.connect(as: TestServer.admin)
            let other = try await server.connect(as: TestServer.user)
            let sibling = try await server.connect(as: TestServer.admin)
            let id = try await server.id(.on)
            for connection in [writer, other, sibling] {
                #expect(try await connection.put("/characteristics", Self.subscribe([id])).status == .noContent)
            }
            #expect(try await writer.put("/characteristics", Self.write(id, "true")).status == .noContent)
            #expect(try await other.event() == Self.event(id, "1"))
            #expect(try await sibling.event() == Self.event(id, "1"))
            // An event to the writer would precede its next response.
            #expect(try await writer.get("/characteristics?id=\(id)").status == .ok)
            #expect(writer.events.isEmpty)
        }
    }

    @Test func subscribingSendsNoEventAndLastsForTheConnection() async throws {
        try await TestServer.run { server in
            let id = try await server.id(.on)
            let first = try await server.connect(as: TestServer.user)
            #expect(try await first.put("/characteristics", Self.subscribe([id])).status == .noContent)
            let response = try await first.get("/characteristics?id=\(id)&ev=1")
            #expect(response.text.contains(#""ev":true"#))
            #expect(first.events.isEmpty)
            let second = try await server.connect(as: TestServer.user)
            #expect(try await second.get("/characteristics?id=\(id)&ev=1").text.contains(#""ev":false"#))
        }
    }

    @Test func aChangeByTheOwnerIsAnEvent() async throws {
        try await TestServer.run { server in
            let connection = try await server.connect(as: TestServer.user)
            let id = try await server.id(.brightness)
            _ = try await connection.put("/characteristics", Self.subscribe([id]))
            try await server.server.update(.integer(70), of: .brightness)
            #expect(try await connection.event() == Self.event(id, "70"))
        }
    }

    @Test func whatDoesNotChangeIsNoEvent() async throws {
        try await TestServer.run { server in
            let connection = try await server.connect(as: TestServer.user)
            let id = try await server.id(.brightness)
            _ = try await connection.put("/characteristics", Self.subscribe([id]))
            try await server.server.update(.integer(50), of: .brightness)
            try await server.server.update(.integer(51), of: .brightness)
            #expect(try await connection.event() == Self.event(id, "51"))
        }
    }

    @Test func changesThatFollowQuicklyAreMergedToTheNewestValue() async throws {
        try await TestServer.run { server in
            let connection = try await server.connect(as: TestServer.user)
            let (on, brightness) = (try await server.id(.on), try await server.id(.brightness))
            _ = try await connection.put("/characteristics", Self.subscribe([on, brightness]))
            // Nothing is sent before the request is complete, however long that takes.
            let request = HTTPRequest(.get, "/characteristics?id=9.9", host: "x").encoded()
            try await connection.send(Array(request.prefix(9)))
            try await server.waitForPartialRequest()
            try await Self.change(server.server, brightness: 1...9)
            try await connection.send(Array(request.dropFirst(9)))
            #expect(try await connection.response().status == .multiStatus)
            let merged =
                #"{"characteristics":[{"aid":1,"iid":\#(brightness.iid),"value":9},"#
                + #"{"aid":1,"iid":\#(on.iid),"value":1}]}"#
            #expect(try await connection.event() == merged)
            // Further changes are sent at the end of the window.
            try await server.server.update(.integer(10), of: .brightness)
            #expect(try await connection.event() == Self.event(brightness, "10"))
        }
    }

    @Test func aChangeThatWaitsForTheWriterGivesWayToItsWrite() async throws {
        try await TestServer.run { server in
            let writer = try await server.connect(as: TestServer.user)
            let (on, brightness) = (try await server.id(.on), try await server.id(.brightness))
            _ = try await writer.put("/characteristics", Self.subscribe([on, brightness]))
            for written: Int64 in [3, 2] {
                try await server.server.update(.integer(1), of: .brightness)
                #expect(try await writer.event() == Self.event(brightness, "1"))
                try await server.server.update(.integer(2), of: .brightness)
                let write = Self.write(brightness, "\(written)")
                #expect(try await writer.put("/characteristics", write).status == .noContent)
                // Pending events are sent with this one.
                let isOn = try await server.server.value(of: .on) == .bool(true)
                try await server.server.update(.bool(!isOn), of: .on)
                #expect(try await writer.event() == Self.event(on, isOn ? "0" : "1"))
            }
        }
    }

    /// Changes the brightness repeatedly and then the power, without suspension in between.
    private static func change(_ server: isolated AccessoryServer, brightness: ClosedRange<Int64>) throws {
        for value in brightness { try server.update(.integer(value), of: .brightness) }
        try server.update(.bool(true), of: .on)
    }

    @Test func everyPressOfAButtonIsAnEvent() async throws {
        try await TestServer.run { server in
            let connection = try await server.connect(as: TestServer.user)
            let id = try await server.id(.button)
            _ = try await connection.put("/characteristics", Self.subscribe([id]))
            for value in [0, 0, 1, 0] as [Int64] { try await server.server.update(.integer(value), of: .button) }
            for value in [0, 0, 1, 0] { #expect(try await connection.event() == Self.event(id, "\(value)")) }
            let read = try await connection.get("/characteristics?id=\(id)")
            #expect(read.text == Self.event(id, "null"))
        }
    }

    @Test func nothingComesAfterAnUnsubscribeWasAnswered() async throws {
        try await TestServer.run { server in
            let connection = try await server.connect(as: TestServer.user)
            let (on, brightness) = (try await server.id(.on), try await server.id(.brightness))
            _ = try await connection.put("/characteristics", Self.subscribe([on, brightness]))
            // The second change is pending, or was just sent, when the subscription ends.
            try await Self.change(server.server, brightness: 1...1)
            #expect(try await connection.event() == Self.event(brightness, "1"))
            #expect(try await connection.put("/characteristics", Self.subscribe([on], false)).status == .noContent)
            try await server.server.update(.bool(false), of: .on)
            try await server.server.update(.integer(2), of: .brightness)
            #expect(try await connection.event() == Self.event(brightness, "2"))
        }
    }

    @Test func onlyWhatNotifiesCanBeSubscribedTo() async throws {
        try await TestServer.run { server in
            let connection = try await server.connect(as: TestServer.user)
            let ids = [
                try await server.id("AccessoryInformation", HAPType.Characteristic.name),
                try await server.id("Special", TestAccessories.adminOnly), try await server.id(.on),
            ]
            let response = try await connection.put("/characteristics", Self.subscribe(ids))
            #expect(response.status == .multiStatus)
            let statuses = try CharacteristicWriteResponse(decoding: response.body).entries.map(\.status)
            #expect(statuses == [.notificationNotSupported, .insufficientPrivileges, .success])
        }
    }
}

@Suite struct EventQueueTests {
    private let lamp = CharacteristicID(aid: 1, iid: 2)
    private let door = CharacteristicID(aid: 1, iid: 3)
    private let start = ContinuousClock.now

    @Test func theFirstChangeIsDueAtOnce() {
        var queue = EventQueue()
        #expect(queue.next(at: start) == nil)
        queue.add(lamp)
        #expect(queue.wait(at: start) == nil)
        #expect(queue.next(at: start) == .changes([lamp]))
        #expect(queue.next(at: start) == nil)
    }

    @Test func laterChangesWaitForTheWindowsEnd() {
        var queue = EventQueue()
        queue.add(lamp)
        _ = queue.next(at: start)
        queue.add(door)
        queue.add(lamp)
        queue.add(door)
        let end = start + ServerLimits.eventWindow
        #expect(queue.next(at: end - .nanoseconds(1)) == nil)
        #expect(queue.wait(at: end - .nanoseconds(1)) == .nanoseconds(1))
        #expect(queue.wait(at: end) == nil)
        #expect(queue.next(at: end) == .changes([door, lamp]))
    }

    @Test func pressesNeverWaitAndAreNeverMerged() {
        var queue = EventQueue()
        queue.add(lamp)
        _ = queue.next(at: start)
        let press = CharacteristicEvent.Entry(id: door, value: .integer(0))
        queue.add(lamp)
        #expect(queue.add(press: press) == true)
        #expect(queue.add(press: press) == true)
        #expect(queue.next(at: start) == .press(press))
        #expect(queue.next(at: start) == .press(press))
        #expect(queue.next(at: start) == nil)
    }

    @Test func aConnectionThatTakesNoPressesIsToldApart() {
        var queue = EventQueue()
        let press = CharacteristicEvent.Entry(id: door, value: .integer(0))
        for _ in 0..<ServerLimits.waitingPresses { #expect(queue.add(press: press) == true) }
        #expect(queue.add(press: press) == false)
    }

    @Test func aChangeThatIsDroppedLeavesPressesAndCanComeAgain() {
        var queue = EventQueue()
        let press = CharacteristicEvent.Entry(id: lamp, value: .integer(0))
        #expect(queue.add(press: press) == true)
        queue.add(lamp)
        queue.add(door)
        queue.drop(changeOf: lamp)
        queue.add(lamp)
        queue.add(door)
        #expect(queue.next(at: start) == .press(press))
        #expect(queue.next(at: start) == .changes([door, lamp]))
        queue.add(door)
        #expect(queue.next(at: start + ServerLimits.eventWindow) == .changes([door]))
    }

    @Test func whatIsDroppedIsNotSent() {
        var queue = EventQueue()
        queue.add(lamp)
        queue.add(door)
        _ = queue.add(press: CharacteristicEvent.Entry(id: lamp, value: .integer(0)))
        queue.drop(lamp)
        #expect(queue.next(at: start) == .changes([door]))
        #expect(queue.next(at: start) == nil)
    }
}
