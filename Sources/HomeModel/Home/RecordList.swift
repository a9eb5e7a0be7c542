internal import HashTreeCollections

/// Records in the order in which they were added, found by ID.
///
/// Copies share their storage. A change after a copy costs about the same for any number of records: the records are in
/// chunks, and a change copies one chunk and the list of chunks.
package struct RecordList<Element: Identifiable & Sendable>: Sendable where Element.ID: Sendable {
    /// A record with its position. This is a class so that copying a chunk copies references instead of records.
    private final class Slot: Sendable {
        /// The position, ascending. A record keeps it until it is removed.
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

    /// Creates an empty list.
    package init() {}

    /// The number of records.
    package var count: Int { positions.count }

    /// Whether the list has no records.
    package var isEmpty: Bool { positions.isEmpty }

    /// The record with an ID.
    package subscript(id id: Element.ID) -> Element? {
        guard let position = positions[id] else { return nil }
        let index = index(of: position)
        return chunks[index.chunk][index.offset].record
    }

    /// Returns whether there is a record with an ID.
    package func contains(id: Element.ID) -> Bool { positions[id] != nil }

    /// Returns the records with some IDs in the list's order, ignoring unknown IDs.
    func records(_ ids: some Sequence<Element.ID>) -> [Element] {
        ids.compactMap { positions[$0] }.sorted().map { position in
            let index = index(of: position)
            return chunks[index.chunk][index.offset].record
        }
    }

    /// Appends a record, or replaces the record with the same ID.
    ///
    /// - Returns: The record that was replaced; `nil` if it is new.
    @discardableResult
    mutating func put(_ record: Element) -> Element? {
        if let position = positions[record.id] {
            let index = index(of: position)
            let old = chunks[index.chunk][index.offset].record
            chunks[index.chunk][index.offset] = Slot(position: position, record: record)
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
    /// - Returns: The record; `nil` if there was none.
    @discardableResult
    mutating func remove(id: Element.ID) -> Element? {
        guard let position = positions.removeValue(forKey: id) else { return nil }
        let index = index(of: position)
        let slot = chunks[index.chunk].remove(at: index.offset)
        // Small chunks are joined with the next one, so that the number of chunks stays proportional to the number of
        // records.
        let next = index.chunk + 1
        if chunks[index.chunk].isEmpty {
            chunks.remove(at: index.chunk)
        } else if next < chunks.count, chunks[index.chunk].count + chunks[next].count <= Self.chunkCapacity / 2 {
            chunks[index.chunk] += chunks[next]
            chunks.remove(at: next)
        }
        return slot.record
    }

    /// Returns the records that another list doesn't share, in order. Lists share a record until it is replaced in one.
    func recordsNotShared(with other: RecordList) -> [Element] {
        var records: [Element] = []
        var (chunk, offset) = (0, 0)
        for slots in chunks {
            for slot in slots {
                while chunk < other.chunks.count, other.chunks[chunk][offset].position < slot.position {
                    offset += 1
                    if offset == other.chunks[chunk].count { (chunk, offset) = (chunk + 1, 0) }
                }
                if chunk == other.chunks.count || other.chunks[chunk][offset] !== slot { records.append(slot.record) }
            }
        }
        return records
    }

    /// Returns the index of a position in use, by binary search over the chunks and then within one.
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
    /// An index into a list, valid until the list changes.
    package struct Index: Comparable, Sendable {
        fileprivate var chunk: Int
        fileprivate var offset: Int

        /// Orders indexes by their position in the list.
        package static func < (left: Index, right: Index) -> Bool {
            (left.chunk, left.offset) < (right.chunk, right.offset)
        }
    }

    /// The index of the first record.
    package var startIndex: Index { Index(chunk: 0, offset: 0) }

    /// The index after the last record.
    package var endIndex: Index { Index(chunk: chunks.count, offset: 0) }

    /// Returns the next index.
    package func index(after index: Index) -> Index {
        index.offset + 1 < chunks[index.chunk].count
            ? Index(chunk: index.chunk, offset: index.offset + 1)
            : Index(chunk: index.chunk + 1, offset: 0)
    }

    /// Returns the previous index.
    package func index(before index: Index) -> Index {
        index.offset > 0
            ? Index(chunk: index.chunk, offset: index.offset - 1)
            : Index(chunk: index.chunk - 1, offset: chunks[index.chunk - 1].count - 1)
    }

    /// The record at an index.
    package subscript(index: Index) -> Element { chunks[index.chunk][index.offset].record }
}

extension RecordList: Equatable where Element: Equatable {
    /// Returns whether both have equal records in the same order.
    package static func == (left: RecordList, right: RecordList) -> Bool { left.elementsEqual(right) }
}

extension RecordList: Hashable where Element: Hashable {
    /// Hashes the records in order.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(count)
        for record in self { hasher.combine(record) }
    }
}
