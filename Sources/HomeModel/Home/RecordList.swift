internal import HashTreeCollections

/// Records in the order in which they were added, found by identity.
///
/// A copy shares its storage, and a change after a copy costs about the same however many records there are: the
/// records lie in chunks, and a change copies one chunk and the list of chunks.
package struct RecordList<Element: Identifiable & Sendable>: Sendable where Element.ID: Sendable {
    /// A class, so that a chunk's copy shares each record and not each of the record's parts.
    private final class Slot: Sendable {
        /// Ascending; a record keeps it until it is removed.
        let position: Int
        let record: Element

        init(position: Int, record: Element) {
            self.position = position
            self.record = record
        }
    }

    private typealias Chunk = [Slot]

    private var chunks: [Chunk] = []
    private var positions: TreeDictionary<Element.ID, Int> = [:]
    private var nextPosition = 0

    private static var chunkCapacity: Int { 128 }

    /// Makes an empty list.
    package init() {}

    /// The number of records.
    package var count: Int { positions.count }

    /// Whether there are none.
    package var isEmpty: Bool { positions.isEmpty }

    /// The record of an identity.
    package subscript(id id: Element.ID) -> Element? {
        guard let position = positions[id] else { return nil }
        let place = index(of: position)
        return chunks[place.chunk][place.offset].record
    }

    /// Whether there is a record of that identity.
    package func contains(id: Element.ID) -> Bool { positions[id] != nil }

    /// The records of some identities in the list's own order; unknown identities are passed over.
    func records(_ ids: some Sequence<Element.ID>) -> [Element] {
        ids.compactMap { positions[$0] }.sorted().map { position in
            let place = index(of: position)
            return chunks[place.chunk][place.offset].record
        }
    }

    /// Adds a record at the end, or puts it in the place of the one with its identity.
    ///
    /// - Returns: The record that was replaced.
    @discardableResult
    mutating func put(_ record: Element) -> Element? {
        if let position = positions[record.id] {
            let place = index(of: position)
            let old = chunks[place.chunk][place.offset].record
            chunks[place.chunk][place.offset] = Slot(position: position, record: record)
            return old
        }
        let slot = Slot(position: nextPosition, record: record)
        if let last = chunks.indices.last, chunks[last].count < Self.chunkCapacity {
            chunks[last].append(slot)
        } else {
            chunks.append([slot])
        }
        positions[record.id] = nextPosition
        nextPosition += 1
        return nil
    }

    /// Removes a record.
    ///
    /// - Returns: The record; nil if there was none.
    @discardableResult
    mutating func remove(id: Element.ID) -> Element? {
        guard let position = positions.removeValue(forKey: id) else { return nil }
        let place = index(of: position)
        let slot = chunks[place.chunk].remove(at: place.offset)
        // Chunks that shrank are joined with the next one, so that their number stays in proportion to the records'.
        let next = place.chunk + 1
        if chunks[place.chunk].isEmpty {
            chunks.remove(at: place.chunk)
        } else if next < chunks.count, chunks[place.chunk].count + chunks[next].count <= Self.chunkCapacity / 2 {
            chunks[place.chunk] += chunks[next]
            chunks.remove(at: next)
        }
        return slot.record
    }

    /// Where the slot of a position lies, by binary search over chunks and then in one. The position must be taken.
    private func index(of position: Int) -> Index {
        var chunk = 0..<chunks.count
        while chunk.count > 1 {
            let middle = chunk.lowerBound + chunk.count / 2
            chunk = chunks[middle][0].position <= position ? middle..<chunk.upperBound : chunk.lowerBound..<middle
        }
        let slots = chunks[chunk.lowerBound]
        var offset = 0..<slots.count
        while offset.count > 1 {
            let middle = offset.lowerBound + offset.count / 2
            offset = slots[middle].position <= position ? middle..<offset.upperBound : offset.lowerBound..<middle
        }
        return Index(chunk: chunk.lowerBound, offset: offset.lowerBound)
    }
}

extension RecordList: BidirectionalCollection {
    /// A place in a list; good until the list changes.
    package struct Index: Comparable, Sendable {
        fileprivate var chunk: Int
        fileprivate var offset: Int

        /// Orders places as they lie in the list.
        package static func < (left: Index, right: Index) -> Bool {
            (left.chunk, left.offset) < (right.chunk, right.offset)
        }
    }

    /// The place of the first record.
    package var startIndex: Index { Index(chunk: 0, offset: 0) }

    /// The place after the last record.
    package var endIndex: Index { Index(chunk: chunks.count, offset: 0) }

    /// The next place.
    package func index(after index: Index) -> Index {
        index.offset + 1 < chunks[index.chunk].count
            ? Index(chunk: index.chunk, offset: index.offset + 1)
            : Index(chunk: index.chunk + 1, offset: 0)
    }

    /// The place before.
    package func index(before index: Index) -> Index {
        index.offset > 0
            ? Index(chunk: index.chunk, offset: index.offset - 1)
            : Index(chunk: index.chunk - 1, offset: chunks[index.chunk - 1].count - 1)
    }

    /// The record at a place.
    package subscript(index: Index) -> Element { chunks[index.chunk][index.offset].record }
}

extension RecordList: Equatable where Element: Equatable {
    /// Whether both have equal records in the same order.
    package static func == (left: RecordList, right: RecordList) -> Bool { left.elementsEqual(right) }
}

extension RecordList: Hashable where Element: Hashable {
    /// Feeds the records in their order.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(count)
        for record in self { hasher.combine(record) }
    }
}
