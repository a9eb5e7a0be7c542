import Foundation
import HAPCatalog
import HubAPI
import Testing

struct CharacteristicSetTests {
    private let home = UUID()
    private let other = UUID()
    private let lamp = UUID()
    private let fan = UUID()

    private func key(_ accessory: UUID, _ iid: UInt64, in home: UUID? = nil) -> HubState.ValueKey {
        let characteristic = CharacteristicReference(accessory: accessory, iid: iid)
        return HubState.ValueKey(home: home ?? self.home, characteristic: characteristic)
    }

    private func set(_ keys: [HubState.ValueKey]) -> CharacteristicSet {
        keys.reduce(into: CharacteristicSet()) { $0.insert($1) }
    }

    @Test func aCharacteristicIsInItOnce() {
        var characteristics = set([key(lamp, 1), key(lamp, 1), key(lamp, 2), key(lamp, 1, in: other)])
        #expect(characteristics.count == 3)
        #expect(characteristics.contains(key(lamp, 2)))
        #expect(!characteristics.contains(key(fan, 2)) && !characteristics.contains(key(lamp, 2, in: other)))
        characteristics.remove(key(lamp, 1))
        characteristics.remove(key(lamp, 1))
        #expect(characteristics == set([key(lamp, 2), key(lamp, 1, in: other)]))
        #expect(characteristics.count == 2)
    }

    @Test func whatIsEmptyLeavesNoTrace() {
        var characteristics = set([key(lamp, 1), key(fan, 1, in: other)])
        characteristics.remove(key(lamp, 1))
        characteristics.remove(accessories: [fan, lamp], in: other)
        #expect(characteristics == CharacteristicSet() && characteristics.isEmpty)
        #expect(characteristics.byHome.isEmpty)
    }

    @Test func accessoriesAndHomesAreRemovedWhole() {
        let all = set([key(lamp, 1), key(lamp, 2), key(fan, 3), key(fan, 3, in: other)])
        var characteristics = all
        characteristics.remove(accessories: [lamp], in: home)
        #expect(characteristics == set([key(fan, 3), key(fan, 3, in: other)]) && characteristics.count == 2)
        characteristics = all
        characteristics.remove(home: home)
        #expect(characteristics == set([key(fan, 3, in: other)]) && characteristics.count == 1)
        characteristics = all
        characteristics.filterAccessories { home, accessory in home == other || accessory == lamp }
        #expect(characteristics == set([key(lamp, 1), key(lamp, 2), key(fan, 3, in: other)]))
        #expect(characteristics.count == 3)
    }

    @Test func anAccessoryIsRenumbered() {
        var characteristics = set([key(lamp, 1), key(lamp, 2), key(fan, 1)])
        characteristics.renumber(lamp, in: home) { $0 == 1 ? 7 : nil }
        #expect(characteristics == set([key(lamp, 7), key(fan, 1)]) && characteristics.count == 2)
        #expect(characteristics.iids(of: lamp, in: home) == [7])
    }

    @Test func unionsCountWhatIsInBothOnce() {
        var characteristics = set([key(lamp, 1), key(lamp, 2)])
        characteristics.formUnion(set([key(lamp, 2), key(fan, 1), key(fan, 1, in: other)]))
        #expect(characteristics == set([key(lamp, 1), key(lamp, 2), key(fan, 1), key(fan, 1, in: other)]))
        #expect(characteristics.count == 4)
    }

    @Test func itIsWrittenByHomeAndAccessory() throws {
        let characteristics = set([key(lamp, 10), key(lamp, .max), key(fan, 3, in: other)])
        let json = try JSONEncoder().encode(characteristics)
        #expect(try JSONDecoder().decode(CharacteristicSet.self, from: json) == characteristics)
        let small = try JSONEncoder().encode(set([key(lamp, 10)]))
        #expect(String(decoding: small, as: UTF8.self) == #"{"\#(home)":{"\#(lamp)":[10]}}"#)
        let sparse = Data(#"{"\#(home)":{"\#(lamp)":[]},"\#(other)":{}}"#.utf8)
        #expect(try JSONDecoder().decode(CharacteristicSet.self, from: sparse) == CharacteristicSet())
        for wrong in [#"{"x":{}}"#, #"{"\#(home)":{"\#(lamp)":[-1]}}"#, "[]"] {
            #expect(throws: DecodingError.self) {
                try JSONDecoder().decode(CharacteristicSet.self, from: Data(wrong.utf8))
            }
        }
    }

    @Test func aStateThatIsResumedKeepsWhatTheHubDoesNotKnowYet() {
        var state = HubState()
        let updates = [1, 2].map { iid in
            ValueUpdate(home: home, characteristic: key(lamp, iid).characteristic, value: .integer(Int64(iid)))
        }
        state.apply(.values(updates))
        var known = KnownValues()
        known[updates[0].characteristic, in: home] = .integer(40)
        state.apply(.resumed(LiveSnapshot(values: known, reachability: [])))
        #expect(updates.map { state.values[$0.characteristic, in: home] } == [.integer(40), .integer(2)])
        let log = Snapshot.Log(lineage: UUID(), revision: 1, records: [])
        state.apply(.reset(Snapshot(account: log, homes: [:], values: known, reachability: [])))
        #expect(updates.map { state.values[$0.characteristic, in: home] } == [.integer(40), nil])
    }
}
