import Foundation
import HAPCatalog
import HAPClient
@testable import HomeHub
import HubAPI
import Synchronization
import Testing

struct LiveStateTests {
    private let live = LiveState(activities: ActivityStream())
    private let home = UUID()
    private let brightness = CharacteristicReference(accessory: UUID(), iid: 11)

    /// Updates a value, and returns the known value afterwards.
    @discardableResult
    private func take(_ value: Int64, arrived arrival: ArrivalOrder) -> CharacteristicValue? {
        let update = ValueUpdate(home: home, characteristic: brightness, value: .integer(value))
        var known: [CharacteristicValue?] = []
        live.update([ValueActivity(update: update, arrival: arrival, origin: .accessory)]) { known = $0 }
        return known.first ?? nil
    }

    private var known: CharacteristicValue? {
        var value: CharacteristicValue?
        live.snapshot { value = $0.values[brightness, in: home] }
        return value
    }

    @Test func whatArrivedLaterHoldsInWhateverOrderItIsHandedOver() {
        let (first, second, third) = (ArrivalOrder.next(), ArrivalOrder.next(), ArrivalOrder.next())
        #expect(take(38, arrived: second) == .integer(38))
        #expect(take(37, arrived: first) == .integer(38))
        #expect(known == .integer(38))
        #expect(take(39, arrived: third) == .integer(39))
        #expect(known == .integer(39))
    }

    @Test func anOlderValueOfAnotherCharacteristicIsTakenIn() {
        let (first, second) = (ArrivalOrder.next(), ArrivalOrder.next())
        take(38, arrived: second)
        let other = CharacteristicReference(accessory: brightness.accessory, iid: 12)
        let update = ValueUpdate(home: home, characteristic: other, value: .bool(true))
        live.update([ValueActivity(update: update, arrival: first, origin: .accessory)])
        live.snapshot { #expect($0.values[other, in: home] == .bool(true)) }
    }

    @Test func theTimeOfAChangeIsKnownOnceAKnownValueChanges() {
        let times = Mutex([
            Date(timeIntervalSince1970: 1), Date(timeIntervalSince1970: 2), Date(timeIntervalSince1970: 3),
        ])
        let live = LiveState(activities: ActivityStream()) { times.withLock { $0.removeFirst() } }
        func time(after value: Int64) -> Date? {
            let update = ValueUpdate(home: home, characteristic: brightness, value: .integer(value))
            live.update([ValueActivity(update: update, arrival: .next(), origin: .accessory)])
            return live.changeTimes(of: [brightness.accessory])[brightness.accessory]?[brightness.iid]
        }
        #expect(time(after: 38) == nil)
        #expect(time(after: 39) == Date(timeIntervalSince1970: 2))
        #expect(time(after: 39) == Date(timeIntervalSince1970: 2))
        #expect(live.changeTimes(of: [UUID()]).isEmpty)
        live.forget(accessories: [brightness.accessory], in: home)
        #expect(live.changeTimes(of: [brightness.accessory]).isEmpty)
    }

    @Test func anAccessoryThatIsForgottenBeginsAnew() {
        let (first, second) = (ArrivalOrder.next(), ArrivalOrder.next())
        take(38, arrived: second)
        live.forget(accessories: [brightness.accessory], in: home)
        #expect(known == nil)
        #expect(take(37, arrived: first) == .integer(37))
    }
}
