import Foundation
import Testing

@testable import HomeHub

/// How many guesses somebody has at a code to sign in.
struct LoginGateTests {
    private static let code: [UInt8] = [1, 2, 3]
    private static let wrong: [UInt8] = [0]
    private let user = UUID()

    private func gate() -> LoginGate {
        var gate = LoginGate()
        gate.add(Self.code, for: user, at: .zero)
        return gate
    }

    @Test func aCodeIsAcceptedOnceAndOnlyInTime() {
        var gate = gate()
        #expect(gate.enter(Self.code, from: "a", at: .milliseconds(59_999)) == .accepted(user))
        #expect(gate.enter(Self.code, from: "a", at: .milliseconds(59_999)) == .wrong)
        gate.add(Self.code, for: user, at: .seconds(60))
        #expect(gate.enter(Self.code, from: "a", at: .seconds(120)) == .wrong)
    }

    @Test func anAddressHasFiveGuessesAMinute() {
        var gate = gate()
        for second in 1...5 { #expect(gate.enter(Self.wrong, from: "a", at: .seconds(second)) == .wrong) }
        #expect(gate.enter(Self.code, from: "a", at: .seconds(6)) == .tooManyTries(retryAfter: .seconds(55)))
        // Others aren't kept out, and the first guess stops counting after a minute.
        gate.add(Self.code, for: user, at: .seconds(6))
        #expect(gate.enter(Self.code, from: "b", at: .seconds(6)) == .accepted(user))
        gate.add(Self.code, for: user, at: .seconds(30))
        #expect(gate.enter(Self.code, from: "a", at: .seconds(61)) == .accepted(user))
    }

    @Test func afterThirtyGuessesFromAnywhereEveryCodeIsVoid() {
        var gate = gate()
        gate.add([4], for: user, at: .zero)
        for guess in 0..<29 { #expect(gate.enter(Self.wrong, from: "address \(guess / 5)", at: .seconds(1)) == .wrong) }
        // The 29th leaves the codes, and the 30th ends them.
        var stillOpen = gate
        #expect(stillOpen.enter(Self.code, from: "owner", at: .seconds(1)) == .accepted(user))
        #expect(gate.enter(Self.wrong, from: "address 6", at: .seconds(1)) == .wrong)
        #expect(gate.enter(Self.code, from: "owner", at: .seconds(1)) == .tooManyTries(retryAfter: .seconds(60)))
        // Once the guesses no longer count, the codes are still void; a new one works.
        #expect(gate.enter(Self.code, from: "owner", at: .seconds(61)) == .wrong)
        #expect(gate.enter([4], from: "owner", at: .seconds(61)) == .wrong)
        gate.add([5], for: user, at: .seconds(61))
        #expect(gate.enter([5], from: "owner", at: .seconds(61)) == .accepted(user))
    }

    @Test func theOldestOfNineCodesIsVoid() {
        var gate = LoginGate()
        for code in 0..<9 { gate.add([UInt8(code)], for: user, at: .zero) }
        #expect(gate.enter([0], from: "a", at: .seconds(1)) == .wrong)
        for code in 1..<9 { #expect(gate.enter([UInt8(code)], from: "a", at: .seconds(1)) == .accepted(user)) }
    }
}
