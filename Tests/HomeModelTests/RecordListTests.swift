import Foundation
import Testing

@testable import HomeModel

@Suite struct RecordListTests {
    /// A list equals an array after each of many random changes.
    @Test(arguments: 0..<8)
    func aListBehavesAsAnArrayOfRecordsWouldWhateverHappens(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let ids = (0..<300).map { _ in random.uuid() }
        var list = RecordList<RoomRecord>()
        var array: [RoomRecord] = []
        var removalShare = 0.3
        for step in 0..<3_000 {
            if step.isMultiple(of: 500) { removalShare = Double.random(in: 0.1...0.9, using: &random) }
            let id = ids.randomElement(using: &random) ?? UUID()
            let place = array.firstIndex { $0.id == id }
            if Double.random(in: 0..<1, using: &random) < removalShare {
                let removed = list.remove(id: id)
                #expect(removed == place.map { array[$0] })
                if let place { array.remove(at: place) }
            } else {
                let record = RoomRecord(id: id, name: "\(step)")
                let replaced = list.put(record)
                #expect(replaced == place.map { array[$0] })
                if let place { array[place] = record } else { array.append(record) }
            }
            #expect(list.count == array.count)
            #expect(list[id: id] == array.first { $0.id == id })
        }
        #expect(Array(list) == array)
        #expect(Array(list.reversed()) == array.reversed())
        for record in array { #expect(list[id: record.id] == record) }
    }

    @Test func aCopyStaysAsItWas() {
        var list = RecordList<RoomRecord>()
        for number in 0..<1_000 { list.put(RoomRecord(id: UUID(), name: "\(number)")) }
        let copy = list
        let before = Array(copy)
        for record in before { list.remove(id: record.id) }
        #expect(list.isEmpty)
        #expect(Array(copy) == before)
    }

    @Test func someRecordsComeInTheListsOwnOrder() {
        var list = RecordList<RoomRecord>()
        let records = (0..<200).map { RoomRecord(id: UUID(), name: "\($0)") }
        for record in records { list.put(record) }
        let some = [150, 3, 77].map { records[$0].id } + [UUID()]
        #expect(list.records(some).map(\.name) == ["3", "77", "150"])
    }

    @Test func listsAreEqualIfTheirRecordsAreWhateverWasRemovedInBetween() {
        let records = (0..<200).map { RoomRecord(id: UUID(), name: "\($0)") }
        var left = RecordList<RoomRecord>()
        var right = RecordList<RoomRecord>()
        right.put(RoomRecord(id: UUID(), name: "gone"))
        let gone = right.first
        for record in records {
            left.put(record)
            right.put(record)
        }
        #expect(left != right)
        if let gone { right.remove(id: gone.id) }
        #expect(left == right)
        #expect(left.hashValue == right.hashValue)
    }
}

extension RecordListTests {
    /// The differences of two lists equal those of two arrays after many random changes.
    @Test(arguments: 0..<8 as Range<UInt64>)
    func changesSinceAnEarlierListAreFound(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let ids = (0..<300).map { _ in random.uuid() }
        var list = RecordList<RoomRecord>()
        for step in 0..<200 {
            let old = list
            for change in 0..<Int.random(in: 0...step, using: &random) {
                let id = ids[Int.random(in: 0..<300, using: &random)]
                if Bool.random(using: &random) {
                    list.remove(id: id)
                } else {
                    list.put(RoomRecord(id: id, name: "\(change % 3)"))
                }
            }
            #expect(list.changed(since: old) == list.filter { old[id: $0.id] != $0 })
            #expect(old.removed(in: list) == old.filter { !list.contains(id: $0.id) })
        }
    }

    @Test func equalRecordsOfUnrelatedListsAreUnchanged() {
        let records = (0..<300).map { RoomRecord(id: UUID(), name: "\($0)") }
        var left = RecordList<RoomRecord>()
        var right = RecordList<RoomRecord>()
        for record in records { left.put(record) }
        for record in records.reversed() { right.put(record) }
        #expect(left.changed(since: right) == [])
        #expect(left.removed(in: right) == [])
    }
}
