import AccessoryPeers
import HAP
import HAPCatalog
import HAPServer
import Testing

@testable import AccessorySimulator

/// The responses of the control protocol, without its socket.
@Suite struct ControlTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func run(_ body: (Simulator) async throws -> Void) async throws {
        try folder.write(
            """
            {"format": 1, "name": "Garage", "serialNumber": "G-1", "category": "GarageDoorOpener",
             "setupCode": "482-11-957", "services": [
              {"type": "GarageDoorOpener",
               "characteristics": {"CurrentDoorState": "Closed", "TargetDoorState": "Closed"}},
              {"type": "StatelessProgrammableSwitch"}]}
            """,
            "garage.json"
        )
        let simulator = try Simulator(
            SimulatorConfiguration(
                files: [folder.path + "garage.json"],
                dataFolder: folder.path + "data",
                bindAddress: "127.0.0.1",
                interfaces: nil
            )
        )
        do {
            _ = try await simulator.start()
            try await body(simulator)
            await simulator.stop()
        } catch {
            await simulator.stop()
            throw error
        }
    }

    private static func ask(
        _ simulator: Simulator,
        _ method: String,
        _ parameters: String = "{}"
    ) async throws -> JSONValue {
        try JSONValue(parsing: try await simulator.answer(method, Array(parameters.utf8)).bytes)
    }

    private static func refusal(
        _ simulator: Simulator,
        _ method: String,
        _ parameters: String
    ) async -> SimulatorError? {
        await #expect(throws: SimulatorError.self) { _ = try await Self.ask(simulator, method, parameters) }
    }

    @Test func accessoriesAreListedWithWhatPairingNeeds() async throws {
        try await run { simulator in
            let list = try await Self.ask(simulator, "accessory.list")
            let accessories = try #require(list.object?["accessories"]?.array)
            let accessory = try #require(accessories.first?.object)
            #expect(accessories.count == 1)
            #expect(accessory["name"] == .string("Garage"))
            #expect(accessory["setupCode"] == .string("482-11-957"))
            #expect(accessory["isPaired"] == .bool(false))
            #expect(accessory["configurationNumber"] == .integer(1))
        }
    }

    @Test func anAccessoryIsShownWithIdsAndPresentValues() async throws {
        try await run { simulator in
            _ = try await Self.ask(
                simulator,
                "value.set",
                #"{"accessory": "Garage", "characteristic": "ObstructionDetected", "value": true}"#
            )
            let shown = try await Self.ask(simulator, "accessory.show", #"{"accessory": "G-1"}"#)
            let services = try #require(shown.object?["services"]?.array)
            let keys = services.compactMap { $0.object?["key"]?.string }
            #expect(
                keys == [
                    "AccessoryInformation", "ProtocolInformation", "GarageDoorOpener", "StatelessProgrammableSwitch",
                ]
            )
            let door = services[2].object?["characteristics"]?.array?.compactMap(\.object)
            let obstruction = door?.first { $0["name"] == .string("ObstructionDetected") }
            #expect(obstruction?["value"] == .bool(true))
            #expect(services[0].object?["iid"] == .integer(1))
        }
    }

    @Test func aBuiltInAccessoryIsListedAndAdded() async throws {
        try await run { simulator in
            let list = try await Self.ask(simulator, "library.list")
            let accessories = try #require(list.object?["accessories"]?.array)
            #expect(accessories.count == AccessoryLibrary.names.count)
            #expect(accessories.contains { $0.object?["name"] == .string("door-lock") })
            let shown = try await Self.ask(simulator, "library.show", #"{"name": "door-lock"}"#)
            let file = try #require(shown.object?["file"]?.string)
            _ = try await Self.ask(simulator, "accessory.add", #"{"accessory": \#(file)}"#)
            let names = try await Self.ask(simulator, "accessory.list").object?["accessories"]?.array
            #expect(names?.map { $0.object?["name"] } == [.string("Garage"), .string("Front Door Lock")])
            #expect(await Self.refusal(simulator, "library.show", #"{"name": "teapot"}"#)?.code == .notFound)
        }
    }

    @Test func aValueIsSetByItsNameAndWatchersHearOfIt() async throws {
        try await run { simulator in
            let start = try #require(try await Self.ask(simulator, "event.next").object?["next"]?.integer)
            async let news = Self.ask(simulator, "event.next", #"{"after": \#(start)}"#)
            let set = #"{"accessory": "Garage", "characteristic": "CurrentDoorState", "value": "Stopped"}"#
            #expect(try await Self.ask(simulator, "value.set", set).object?["value"] == .integer(4))
            let events = try #require(try await news.object?["events"]?.array)
            let event = try #require(events.first?.object)
            #expect(event["event"] == .string("value"))
            #expect(event["accessory"] == .string("Garage"))
            #expect(event["characteristic"] == .string("CurrentDoorState"))
            #expect(event["value"] == .integer(4))
            #expect(event["controller"] == nil)
        }
    }

    @Test func aButtonIsPressed() async throws {
        try await run { simulator in
            let start = try #require(try await Self.ask(simulator, "event.next").object?["next"]?.integer)
            _ = try await Self.ask(simulator, "button.press", #"{"accessory": "Garage", "press": "double"}"#)
            let news = try await Self.ask(simulator, "event.next", #"{"after": \#(start)}"#)
            #expect(news.object?["events"]?.array?.first?.object?["value"] == .integer(1))
        }
    }

    @Test func faultsAreListedAndClearedByNumberOrPlace() async throws {
        try await run { simulator in
            func faults(_ parameters: String = "{}") async throws -> [String?] {
                let list = try await Self.ask(simulator, "fault.list", parameters)
                return list.object?["faults"]?.array?.map { $0.object?["fault"]?.string } ?? []
            }
            let place = #""accessory": "G-1", "characteristic": "TargetDoorState""#
            let drop = try await Self.ask(simulator, "fault.inject", #"{"accessory": "Garage", "fault": "drop"}"#)
            #expect(drop.object?["id"] == .integer(1))
            #expect(drop.object?["serialNumber"] == .string("G-1"))
            let late = try await Self.ask(simulator, "fault.inject", "{\(place), \"fault\": \"event-late 3s times 2\"}")
            #expect(late.object?["service"] == .string("GarageDoorOpener"))
            #expect(late.object?["characteristic"] == .string("TargetDoorState"))
            #expect(try await faults() == ["drop", "event-late 3s times 2"])
            #expect(try await faults(#"{"accessory": "G-1"}"#).count == 2)
            _ = try await Self.ask(simulator, "fault.clear", "{\(place)}")
            #expect(try await faults() == ["drop"])
            let restart = try await Self.ask(
                simulator,
                "fault.inject",
                #"{"accessory": "G-1", "fault": "port-changed"}"#
            )
            #expect(restart.object?["id"] == nil)
            let refusals: [(method: String, parameters: String, code: SimulatorError.Code, reason: String)] = [
                ("fault.clear", #"{"id": 2}"#, .notFound, "'id'"),
                ("fault.clear", #"{"id": -1}"#, .notFound, "'id'"),
                ("fault.clear", #"{"id": 1, "accessory": "G-1"}"#, .invalidRequest, "id: "),
                ("fault.clear", #"{"characteristic": "On"}"#, .invalidRequest, "'accessory' is missing"),
                ("fault.clear", #"{"accessory": "G-1", "service": "x"}"#, .invalidRequest, "service: "),
                ("fault.list", #"{"accessory": "Shed"}"#, .notFound, "choose one of: Garage"),
                ("fault.inject", #"{"accessory": "G-1"}"#, .invalidRequest, "'fault' is missing"),
                ("fault.inject", #"{"accessory": "G-1", "fault": "fire"}"#, .invalidFault, "fault: "),
                ("fault.inject", #"{"accessory": "G-1", "fault": "half-answer"}"#, .invalidFault, "excludes"),
                ("fault.inject", "{\(place), \"fault\": \"refuse\"}", .invalidFault, "whole accessory"),
            ]
            for (method, parameters, code, reason) in refusals {
                let error = await Self.refusal(simulator, method, parameters)
                #expect(error?.code == code, "\(parameters): \(error?.reason ?? "")")
                #expect(error?.reason.contains(reason) == true, "\(parameters): \(error?.reason ?? "")")
            }
            #expect(try await faults() == ["drop"])
            _ = try await Self.ask(simulator, "fault.clear", #"{"id": 1}"#)
            #expect(try await faults().isEmpty)
        }
    }

    @Test func whatIsWrongWithARequestIsNamed() async throws {
        try await run { simulator in
            let cases: [(method: String, parameters: String, code: String, reason: String)] = [
                ("accessory.fly", "{}", "unknownMethod", "accessory.fly"),
                ("accessory.show", "{", "invalidRequest", "invalid JSON"),
                ("accessory.show", "[]", "invalidRequest", "expected an object"),
                ("accessory.show", "{}", "invalidRequest", "'accessory' is missing"),
                ("accessory.show", #"{"accessory": 1}"#, "invalidRequest", "accessory: expected a string"),
                ("accessory.show", #"{"accessory": "G-1", "x": 1}"#, "invalidRequest", "x: unknown key 'x'"),
                ("accessory.show", #"{"accessory": "Shed"}"#, "notFound", "choose one of: Garage"),
                (
                    "button.press", #"{"accessory": "Garage", "press": "twice"}"#, "invalidRequest",
                    "'twice' is not a press"
                ),
                ("event.next", #"{"after": 99999}"#, "invalidRequest", "after"),
                ("event.next", #"{"after": -1}"#, "invalidRequest", "after"),
                (
                    "value.set", #"{"accessory": "Garage", "characteristic": "TargetDoorState", "value": 9}"#,
                    "invalidValue", "9"
                ),
                (
                    "value.set", #"{"accessory": "Garage", "characteristic": "TargetDoorState", "value": []}"#,
                    "invalidRequest", "value: expected a value"
                ),
                (
                    "value.set", #"{"accessory": "Garage", "characteristic": "On", "value": true}"#, "notFound",
                    "choose one of: GarageDoorOpener"
                ),
            ]
            for (method, parameters, code, reason) in cases {
                let error = await Self.refusal(simulator, method, parameters)
                #expect(error?.code.rawValue == code, "\(method) \(parameters): \(error?.reason ?? "")")
                #expect(error?.reason.contains(reason) == true, "\(method) \(parameters): \(error?.reason ?? "")")
            }
            let target = try simulator.find("Garage", "TargetDoorState")
            #expect(try await simulator.value(of: target) == .integer(1))
        }
    }

    @Test func theLogKeepsTheLastEventsAndSaysWhatWasDropped() async {
        let log = EventLog()
        for number in 0...EventLog.capacity { log.append(.identify(serialNumber: "\(number)")) }
        let (first, events) = await log.events(after: 0)
        #expect(first == 1)
        #expect(events.count == EventLog.capacity)
        #expect(events.first == .identify(serialNumber: "1"))
        #expect(events.last == .identify(serialNumber: "\(EventLog.capacity)"))
        let end = log.next
        let waiting = Task { await log.events(after: end).events }
        waiting.cancel()
        #expect(await waiting.value.isEmpty)
        log.finish()
        #expect(await log.events(after: end).events.isEmpty)
    }
}
