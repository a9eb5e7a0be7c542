import Foundation
import HubAPI
import Testing

/// The JSON of reachability updates.
struct ReachabilityMessageTests {
    private static let updates = [
        ReachabilityUpdate(home: UUID(), accessory: UUID(), isReachable: true),
        ReachabilityUpdate(
            home: UUID(),
            accessory: UUID(),
            isReachable: false,
            cause: "Nothing listens at \"10.0.0.1\"\n\u{1}Küche ☕️ / \\",
            code: .notReachable,
            trouble: AccessoryTrouble(rawValue: "refused")
        ),
        ReachabilityUpdate(home: UUID(), accessory: UUID(), isReachable: false),
    ]

    private static func read(_ json: String) throws -> HubEvent {
        try HubEvent(name: .reachability, payload: Data(json.utf8))
    }

    @Test func updatesAreReadAsWritten() throws {
        for updates in [[], Self.updates, Self.updates.reversed()] {
            let event = HubEvent.reachability(updates)
            #expect(try HubEvent(name: .reachability, payload: try event.payload()) == event)
            let snapshot = HubEvent.resumed(LiveSnapshot(values: KnownValues(), reachability: updates))
            #expect(try HubEvent(name: .resumed, payload: try snapshot.payload()) == snapshot)
        }
    }

    @Test func whatIsWrittenIsWhatACoderReadsAndTheOtherWayRound() throws {
        struct Payload: Codable, Equatable {
            var reachability: [ReachabilityUpdate]
        }
        let payload = Payload(reachability: Self.updates)
        let written = try HubEvent.reachability(Self.updates).payload()
        #expect(try JSONDecoder().decode(Payload.self, from: written) == payload)
        let read = try HubEvent(name: .reachability, payload: try JSONEncoder().encode(payload))
        #expect(read == .reachability(Self.updates))
    }

    @Test func unknownMembersArePassedOver() throws {
        let (home, accessory) = (UUID(), UUID())
        let json = """
            {"reachability": [{"new": {"a": [1, "}"]}, "home": "\(home)", "cause": null,
              "accessory": "\(accessory)", "isReachable" : false }]}
            """
        let update = ReachabilityUpdate(home: home, accessory: accessory, isReachable: false)
        #expect(try Self.read(json) == .reachability([update]))
    }

    @Test(arguments: [
        "", "[]", "{}", #"{"reachability":1}"#, #"{"reachability":[1]}"#, #"{"reachability":[{}]}"#,
        #"{"reachability":[{"home":"x"}]}"#, #"{"reachability":[}"#,
        #"{"reachability":[{"home":"00000000-0000-0000-0000-000000000000","accessory":"00000000-0000-0000-0000-000000000000"}]}"#,
        #"{"reachability":[{"home":"00000000-0000-0000-0000-000000000000","accessory":"00000000-0000-0000-0000-000000000000","isReachable":1}]}"#,
        #"{"reachability":[{"home":"00000000-0000-0000-0000-000000000000","accessory":"00000000-0000-0000-0000-000000000000","isReachable":true,"cause":1}]}"#,
        #"{"reachability":[{"home":"00000000-0000-0000-0000-000000000000","accessory":"00000000-0000-0000-0000-000000000000","isReachable":true}"#,
    ])
    func anythingElseIsRefused(json: String) {
        #expect(throws: (any Error).self) { try Self.read(json) }
    }
}
