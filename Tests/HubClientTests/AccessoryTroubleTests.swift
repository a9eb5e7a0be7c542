import Foundation
import HubAPI
import Testing

@Suite struct AccessoryTroubleTests {
    @Test func everyTroubleSaysWhatIsWrongAndWhatToDo() {
        #expect(AccessoryTrouble.all.count > 30)
        for trouble in AccessoryTrouble.all {
            #expect(trouble.text.first?.isUppercase == true && trouble.text.last != ".", "\(trouble.rawValue)")
            #expect(trouble.advice.first?.isUppercase == true && trouble.advice.last == ".", "\(trouble.rawValue)")
        }
        #expect(Set(AccessoryTrouble.all.map(\.text)).count == AccessoryTrouble.all.count)
    }

    @Test func whatWasSeenStandsBetweenTheCauseAndTheAdvice() {
        #expect(AccessoryTrouble.blocked.explanation() == "The accessory is blocked. Unblock it to use it again.")
        #expect(AccessoryTrouble.httpError.statement("HTTP 500") == "The accessory responds with an error: HTTP 500.")
        let error = HubError(.notReachable, .noRoute, "no route to host")
        #expect(error.reason == "\(error.reasonWithoutAdvice) Check the network of the hub's machine.")
        #expect(error.reasonWithoutAdvice == "The accessory's address can't be reached from the hub: no route to host.")
    }

    @Test func aTroubleOfALaterVersionSurvives() throws {
        let line = Data(
            #"{"jsonrpc":"2.0","id":4,"error":{"code":-32000,"message":"Far.","data":{"code":"notReachable","trouble":"onMars"}}}"#
                .utf8
        )
        guard case .reply(4, let reply)? = try WireMessage.message(from: line), case .failure(let error) = reply.result
        else {
            Issue.record("no reply")
            return
        }
        #expect(error == HubError(.notReachable, "Far.", trouble: AccessoryTrouble(rawValue: "onMars")))
        #expect(error.trouble?.explanation() == "Something is wrong with the accessory (onMars).")
        #expect(WireMessage.line(replyTo: 4, .failure(error)) == line + [UInt8(ascii: "\n")])
    }

    @Test func anErrorWithoutATroubleHasNoneOnTheWire() throws {
        let line = WireMessage.line(replyTo: 4, .failure(HubError(.cancelled, "No.")))
        #expect(!String(decoding: line, as: UTF8.self).contains("trouble"))
        guard case .reply(4, let reply)? = try WireMessage.message(from: line.dropLast()),
            case .failure(let error) = reply.result
        else {
            Issue.record("no reply")
            return
        }
        #expect(error == HubError(.cancelled, "No."))
    }

    @Test func aHubThatNamesNoTroubleIsUnderstood() throws {
        let payload = Data(
            #"{"reachability":[{"home":"\#(UUID())","accessory":"\#(UUID())","isReachable":false,"cause":"Off.","code":"notReachable"}]}"#
                .utf8
        )
        guard case .reachability(let updates) = try HubEvent(name: .reachability, payload: payload) else {
            Issue.record("no event")
            return
        }
        #expect(updates.map(\.error) == [HubError(.notReachable, "Off.")])
    }
}
