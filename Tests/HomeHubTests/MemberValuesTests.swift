import Foundation
import HAP
import HAPCatalog
import HAPClient
import HubAPI
import Synchronization
import Testing

@testable import HomeHub

/// Values of a server on their way to the home's accessories.
struct MemberValuesTests {
    private let activities = ActivityStream()
    private let live: LiveState
    private let values: MemberValues
    private let home = UUID()
    private let lamp = UUID()
    private let power = CharacteristicID(aid: 2, iid: 11)

    init() {
        live = LiveState(activities: activities)
        values = MemberValues(in: home, live: live)
        values.accessories = [2: lamp]
    }

    private var known: CharacteristicValue? {
        live.value(of: CharacteristicReference(accessory: lamp, iid: 11), in: home)
    }

    @Test func anEventIsPublishedForTheAccessoryThatHasItsNumber() {
        #expect(values.lastEvent == nil)
        values.publishEvent([(power, .bool(true)), (CharacteristicID(aid: 3, iid: 11), .bool(true))], arrived: .next())
        #expect(known == .bool(true))
        live.withValues { #expect($0.updates.count == 1, "nobody in the home has the other number") }
        #expect(values.lastEvent != nil)
    }

    @Test func anEventWithoutAChangeCountsIfItIsMomentary() {
        let published = Mutex<[Int]>([])
        activities.subscribe { activity in
            if case .values(let values) = activity { published.withLock { $0.append(values.count) } }
        }
        for _ in 0..<2 { values.publishEvent([(power, .bool(true))], arrived: .next()) }
        #expect(published.withLock { $0 } == [1])
        values.momentary = [power]
        for _ in 0..<2 { values.publishEvent([(power, .bool(true))], arrived: .next()) }
        #expect(published.withLock { $0 } == [1, 1, 1])
    }

    @Test func whatWasReadBeforeAnEventDoesNotReplaceIt() {
        let earlier = ArrivalOrder.next()
        values.publishEvent([(power, .bool(true))], arrived: .next())
        values.publish([(power, .bool(false), earlier)])
        #expect(known == .bool(true))
    }

    @Test func anAccessoryThatLeftTheHomeHasNoValuesAnyMore() {
        values.accessories = [:]
        values.publishEvent([(power, .bool(true))], arrived: .next())
        #expect(known == nil)
    }

    @Test func afterTheEndNothingIsPublished() {
        values.end()
        values.publishEvent([(power, .bool(true))], arrived: .next())
        values.publish([(power, .bool(true), .next())])
        #expect(known == nil)
    }
}
