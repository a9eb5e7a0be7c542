import Crypto
import Foundation
import HAP
import Testing

@testable import HomeIdentity

@Suite struct JoinTests {
    @Test func aDeviceThatKnowsTheCodeJoins() throws {
        var exchange = JoinExchange()
        let outcome = exchange.run()
        let joined = try #require(outcome.joined)
        #expect(joined.reply == JoinExchange.reply)
        #expect(joined.device == joined.hub)
    }

    @Test func theHubHearsOfTheDeviceWhatItTells() throws {
        var exchange = JoinExchange(name: "Ann’s laptop")
        let answer = try exchange.answer()
        guard case .join(let request, let invitation, _) = try exchange.server.receive(answer) else {
            Issue.record("The device didn't join.")
            return
        }
        #expect(invitation == JoinExchange.id)
        #expect(request == JoinRequest(name: "Ann’s laptop"))
        // Nobody on the way reads the request.
        #expect(!String(decoding: answer, as: UTF8.self).contains("laptop"))
    }

    @Test func twoExchangesHaveOtherDigits() {
        var digits: Set<CheckDigits> = []
        for _ in 0..<3 {
            var exchange = JoinExchange()
            if case .joined(_, let device, _) = exchange.run() { digits.insert(device) }
        }
        #expect(digits.count > 1)
    }

    @Test func aWrongCodeIsAWrongTry() {
        var exchange = JoinExchange(secret: JoinExchange.wrongCode)
        #expect(exchange.run() == .wrongProof)
    }

    @Test func aPersonBetweenTwoConnectionsFailsAtTheProof() {
        // Whoever forwards every message has a connection with keys of its own to each end.
        var exchange = JoinExchange(hubAsDeviceSees: IdentityKey().publicKey)
        #expect(exchange.run() == .wrongProof)
        exchange = JoinExchange(deviceAsHubSees: IdentityKey().publicKey)
        #expect(exchange.run() == .wrongProof)
        exchange = JoinExchange(hubAsDeviceSees: IdentityKey().publicKey, deviceAsHubSees: IdentityKey().publicKey)
        #expect(exchange.run() == .wrongProof)
    }

    @Test func anotherInvitationThanTheOneNamedIsAWrongTry() {
        var exchange = JoinExchange()
        let outcome = exchange.run { number, line in
            number == 1 ? Array(#"{"invitation":"0000000000000000","version":1}"#.utf8) : line
        }
        #expect(outcome == .wrongProof)
    }

    /// Multiples of N, for which the secret would not depend on the password.
    @Test(arguments: [[0], [UInt8](repeating: 0, count: 384), SRPGroup.primeBytes])
    func keysThatMakeTheSecretPredictableAreAWrongTry(key: [UInt8]) throws {
        var exchange = JoinExchange()
        let answer = try exchange.answer()
        let zeroSecret = Array(SHA512.hash(data: [UInt8]()))
        let altered = try JoinExchange.replace("key", with: key, in: answer)
        let proven = try JoinExchange.replace("proof", with: zeroSecret, in: altered)
        #expect(try exchange.server.receive(proven) == .wrongProof(JoinExchange.id))
    }

    @Test(arguments: [[0], [UInt8](repeating: 0, count: 384), SRPGroup.primeBytes, [UInt8](repeating: 1, count: 385)])
    func aDeviceRefusesKeysThatMakeTheSecretPredictable(key: [UInt8]) {
        var exchange = JoinExchange()
        let outcome = exchange.run { number, line in
            number == 2 ? (try? JoinExchange.replace("key", with: key, in: line)) ?? [] : line
        }
        #expect(outcome == .deviceRefuses(.malformedMessage))
    }

    @Test func keysAndProofsOfWrongLengthAreNoTry() {
        for (field, count) in [("key", 385), ("proof", 63), ("proof", 65), ("proof", 0)] {
            var exchange = JoinExchange()
            let outcome = exchange.run { number, line in
                guard number == 3 else { return line }
                return (try? JoinExchange.replace(field, with: [UInt8](repeating: 1, count: count), in: line)) ?? []
            }
            #expect(outcome == .hubRefuses(.malformedMessage), "\(field) of \(count) bytes")
        }
    }

    @Test func anAlteredFirstMessageNeverLeadsToAJoin() throws {
        var probe = JoinExchange()
        let count = try probe.client.hello().count
        for offset in 0..<count {
            var exchange = JoinExchange()
            var line = try exchange.client.hello()
            line[offset] ^= 1
            guard let event = try? exchange.server.receive(line) else { continue }
            // It names another invitation, or none. Even if the hub answered for this one, the device would see it.
            #expect(event != .hello(JoinExchange.id), "byte \(offset)")
        }
    }

    @Test(arguments: [("salt", 16), ("key", 384), ("commitment", 32)])
    func anAlteredChallengeNeverLeadsToAJoin(field: String, count: Int) {
        // Each byte costs several exponentiations, so that some stand for all.
        for offset in stride(from: 0, to: count, by: count > 100 ? 97 : 11) {
            var exchange = JoinExchange()
            let outcome = exchange.run { number, line in
                number == 2 ? (try? JoinExchange.flip(field, at: offset, in: line)) ?? [] : line
            }
            #expect(!outcome.isJoined, "byte \(offset)")
        }
    }

    @Test(arguments: ["key", "proof", "request"])
    func anAlteredAnswerIsAWrongTry(field: String) throws {
        var probe = JoinExchange()
        let answer = try probe.answer()
        // The same state of the hub takes each altered answer, which saves the device's part.
        let object = try #require(try JSONSerialization.jsonObject(with: Data(answer)) as? [String: Any])
        let count = try #require((object[field] as? String).flatMap { Data(base64Encoded: $0)?.count })
        // Each byte costs several exponentiations, so that some stand for all. The last is among them.
        for offset in stride(from: count - 1, through: 0, by: field == "key" ? -97 : -17) {
            var server = probe.server
            let altered = try JoinExchange.flip(field, at: offset, in: answer)
            #expect(try server.receive(altered) == .wrongProof(JoinExchange.id), "byte \(offset)")
        }
        #expect(try probe.server.receive(answer).isJoin)
    }

    @Test(arguments: ["proof", "reply"])
    func anAlteredResultIsOfAnotherHub(field: String) throws {
        var probe = JoinExchange()
        let answer = try probe.answer()
        #expect(try probe.server.receive(answer).isJoin)
        let result = try probe.server.reply(JoinExchange.reply)
        let object = try #require(try JSONSerialization.jsonObject(with: Data(result)) as? [String: Any])
        let count = try #require((object[field] as? String).flatMap { Data(base64Encoded: $0)?.count })
        for offset in 0..<count {
            var client = probe.client
            let altered = try JoinExchange.flip(field, at: offset, in: result)
            let error = #expect(throws: JoinFailure.self) { try client.receive(altered) }
            #expect(error?.code == .wrongHub, "byte \(offset)")
        }
    }

    @Test func messagesThatComeAgainOrOutOfOrderEndTheExchange() throws {
        var exchange = JoinExchange()
        let hello = try exchange.client.hello()
        #expect(throws: JoinFailure.self) { try exchange.client.hello() }
        // Message 1 twice.
        var server = exchange.server
        _ = try server.receive(hello)
        #expect(throws: JoinFailure.self) { try server.receive(hello) }
        #expect(throws: JoinFailure.self, "an exchange goes on after an error") {
            try server.challenge(for: exchange.invitation)
        }
        // Message 3 first, and twice.
        _ = try exchange.server.receive(hello)
        let challenge = try exchange.server.challenge(for: exchange.invitation)
        let answer = try #require(try exchange.client.receive(challenge).message)
        server = JoinServer(hub: JoinExchange.hubKey, device: JoinExchange.deviceKey)
        #expect(throws: JoinFailure.self) { try server.receive(answer) }
        #expect(try exchange.server.receive(answer).isJoin)
        #expect(throws: JoinFailure.self) { try exchange.server.receive(answer) }
        // Message 2 twice.
        #expect(throws: JoinFailure.self) { try exchange.client.receive(challenge) }
    }

    @Test func anAnswerOfAnotherExchangeIsAWrongTry() throws {
        var recorded = JoinExchange()
        var answers: [[UInt8]] = []
        _ = recorded.run { number, line in
            if number == 3 { answers.append(line) }
            return line
        }
        var exchange = JoinExchange()
        #expect(exchange.run { number, line in number == 3 ? answers[0] : line } == .wrongProof)
    }

    @Test func aHubThatDoesNotKnowTheCodeIsNotBelieved() {
        var exchange = JoinExchange()
        exchange.invitation = JoinInvitation(
            id: JoinExchange.id,
            verifier: JoinVerifier(JoinExchange.wrongCode),
            comparesDigits: false
        )
        #expect(exchange.run() == .wrongProof)
        // It can't make up a result either.
        exchange = JoinExchange()
        let outcome = exchange.run { number, line in
            guard number == 4 else { return line }
            return (try? JoinExchange.replace("proof", with: [UInt8](repeating: 7, count: 64), in: line)) ?? []
        }
        #expect(outcome == .deviceRefuses(.wrongHub))
    }

    @Test(arguments: [0, 2, 99])
    func anotherVersionIsRefusedByName(version: Int) {
        var exchange = JoinExchange()
        let outcome = exchange.run { number, line in
            number == 1 ? Array(#"{"version":\#(version)}"#.utf8) : line
        }
        #expect(outcome == .hubRefuses(.unsupportedVersion))
    }

    @Test(arguments: [
        "", "{}", "[]", "null", "nonsense", #"{"version":"1"}"#, #"{"version":1,"invitation":"x"}"#, "\u{0}",
    ])
    func malformedMessagesAreRefused(text: String) {
        var exchange = JoinExchange()
        #expect(
            exchange.run { number, line in number == 1 ? Array(text.utf8) : line } == .hubRefuses(.malformedMessage)
        )
        if text != #"{"version":"1"}"# {
            exchange = JoinExchange()
            let outcome = exchange.run { number, line in number == 3 ? Array(text.utf8) : line }
            #expect(outcome == .hubRefuses(.malformedMessage))
        }
        exchange = JoinExchange()
        let outcome = exchange.run { number, line in number == 2 ? Array(text.utf8) : line }
        #expect(outcome == .deviceRefuses(.malformedMessage))
    }

    @Test func messagesAreReadUpToTheirLimit() {
        for (count, outcome) in [(4_096, true), (4_097, false)] {
            var exchange = JoinExchange()
            let text = #"{"version":1,"invitation":"\#(JoinExchange.id)"}"#
            let line = Array((text + String(repeating: " ", count: count - text.count)).utf8)
            _ = exchange
            let isAccepted = (try? exchange.server.receive(line)) != nil
            #expect(isAccepted == outcome, "\(count) bytes")
        }
    }

    @Test(arguments: [
        ("a", true), (String(repeating: "é", count: 32), true), (String(repeating: "é", count: 32) + "a", false),
        ("", false), ("  ", false), ("a\nb", false), ("a\u{0}", false), ("Ann’s 📱", true),
    ])
    func aDeviceNeedsAName(name: String, isAccepted: Bool) {
        #expect(JoinRequest(name: name).isValid == isAccepted)
        var exchange = JoinExchange(name: name)
        let outcome = exchange.run()
        #expect(isAccepted ? outcome.isJoined : outcome == .hubRefuses(.malformedMessage))
    }

    @Test func aRefusalReachesTheDevice() throws {
        var exchange = JoinExchange()
        _ = try exchange.client.hello()
        let refusal = JoinServer.refusal(.wrongInvitationCode(triesLeft: 3))
        #expect(throws: JoinFailure.wrongInvitationCode(triesLeft: 3)) { try exchange.client.receive(refusal) }
        #expect(JoinFailure.wrongInvitationCode(triesLeft: 3).message == "The code is wrong. 3 tries are left.")
        #expect(JoinFailure.wrongInvitationCode(triesLeft: 1).message == "The code is wrong. 1 try is left.")
        #expect(JoinFailure.wrongInvitationCode(triesLeft: 0).message.contains("ask for another invitation"))
    }

    @Test func aRefusalOfALaterVersionKeepsItsCode() throws {
        var exchange = JoinExchange()
        _ = try exchange.client.hello()
        let refusal = Array(#"{"error":"fullMoon","message":"Come back tomorrow.","moon":true}"#.utf8)
        #expect(throws: JoinFailure(.init(rawValue: "fullMoon"), "Come back tomorrow.")) {
            try exchange.client.receive(refusal)
        }
    }
}

extension JoinExchange.Outcome {
    var isJoined: Bool { joined != nil }

    var joined: (reply: JoinReply, device: CheckDigits, hub: CheckDigits)? {
        if case .joined(let reply, let device, let hub) = self { (reply, device, hub) } else { nil }
    }
}

extension JoinClient.Event {
    var message: [UInt8]? {
        if case .send(let message) = self { message } else { nil }
    }
}

extension JoinServer.Event {
    var isJoin: Bool {
        if case .join = self { true } else { false }
    }
}
