import Automations
import Foundation
import HAPCatalog
import HomeModel
import Testing

/// Triggers that set each other off.
@Suite struct LoopTests {
    private let lamp = characteristic(.Characteristic.on)

    @Test func twoTriggersThatSetEachOtherOffAreStopped() throws {
        var test = try TestHome(at: date("2026-11-22 12:00"))
        let on = test.add(on: .characteristic(lamp, .bool(true)))
        let off = test.add(on: .characteristic(lamp, .bool(false)))
        test.values[lamp] = .bool(false)
        var chain: [UUID] = []
        var value = true
        while chain.count < 100 {
            let decision = try #require(test.set(lamp, .bool(value), causes: chain).first)
            #expect(decision.trigger == (value ? on : off))
            guard decision.outcome == .fire else {
                #expect(decision.outcome == .held(.loopStopped))
                break
            }
            chain.append(decision.trigger)
            value.toggle()
        }
        #expect(chain.count == 2 * AutomationLimits.firingsPerChain)
        // The next change by a person fires as ever.
        #expect(test.set(lamp, .bool(!value)).map(\.outcome) == [.fire])
    }

    @Test(arguments: [0, AutomationLimits.firingsPerChain - 1, AutomationLimits.firingsPerChain])
    func triggerFiresInOneChainUpToTheLimit(count: Int) throws {
        var test = try TestHome(at: date("2026-11-22 12:00"))
        let trigger = test.add(on: .characteristic(lamp, nil))
        test.values[lamp] = .bool(false)
        let chain = Array(repeating: trigger, count: count) + [UUID()]
        let isAllowed = count < AutomationLimits.firingsPerChain
        #expect(test.set(lamp, .bool(true), causes: chain).map(\.outcome) == [isAllowed ? .fire : .held(.loopStopped)])
    }

    @Test(arguments: [AutomationLimits.chainLength - 1, AutomationLimits.chainLength])
    func chainOfDifferentTriggersHasALimit(count: Int) throws {
        var test = try TestHome(at: date("2026-11-22 12:00"))
        _ = test.add(on: .characteristic(lamp, nil))
        test.values[lamp] = .bool(false)
        let chain = (0..<count).map { _ in UUID() }
        let isAllowed = count < AutomationLimits.chainLength
        #expect(test.set(lamp, .bool(true), causes: chain).map(\.outcome) == [isAllowed ? .fire : .held(.loopStopped)])
    }

    @Test func triggerThatFiresTooOftenPausesUntilTheWindowHasPassed() throws {
        var test = try TestHome(at: date("2026-11-22 12:00"))
        _ = test.add(on: .characteristic(lamp, nil))
        test.values[lamp] = .bool(false)
        let start = test.now
        var outcomes: [TriggerDecision.Outcome] = []
        for index in 0...AutomationLimits.firingsPerWindow {
            test.now = start.addingTimeInterval(Double(index))
            outcomes += test.set(lamp, .bool(index.isMultiple(of: 2))).map(\.outcome)
        }
        let fired = Array(repeating: TriggerDecision.Outcome.fire, count: AutomationLimits.firingsPerWindow)
        #expect(outcomes == fired + [.held(.loopStopped)])
        test.now = start.addingTimeInterval(Double(AutomationLimits.firingWindow) - 1)
        _ = test.set(lamp, .bool(false))
        #expect(test.set(lamp, .bool(true)).map(\.outcome) == [.held(.loopStopped)])
        test.now = start.addingTimeInterval(Double(AutomationLimits.firingWindow))
        #expect(test.set(lamp, .bool(false)).map(\.outcome) == [.fire])
        #expect(test.set(lamp, .bool(true)).map(\.outcome) == [.held(.loopStopped)])
    }

    @Test func clockSetBackForgetsTheRate() throws {
        var test = try TestHome(at: date("2026-11-22 12:00"))
        _ = test.add(on: .characteristic(lamp, nil))
        test.values[lamp] = .bool(false)
        for index in 0...AutomationLimits.firingsPerWindow { _ = test.set(lamp, .bool(index.isMultiple(of: 2))) }
        test.now = try date("2026-11-22 10:00")
        #expect(test.set(lamp, .integer(7)).map(\.outcome) == [.fire])
    }
}
