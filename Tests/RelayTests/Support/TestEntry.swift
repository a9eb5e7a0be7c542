import Foundation
import HomeIdentity
import RelayAPI

/// Entries as a relay sees them: a header that fits, and bytes that it doesn't understand.
struct TestWriter {
    let house: HouseID
    let feed: FeedID
    var seq: Int64 = 0
    var head = EntryDigest.zero

    /// Returns the next entry, and moves on.
    mutating func next(
        base: Bool = false,
        part: Int = 1,
        of parts: Int = 1,
        generation: Int = 1,
        term: Int64 = 0,
        size: Int = 512
    ) -> AppendItem {
        let item = item(base: base, part: part, of: parts, generation: generation, term: term, size: size)
        seq += 1
        head = EntryDigest(of: item.bytes)
        return item
    }

    /// Returns the next entry without moving on. Each call makes another one.
    func item(
        base: Bool = false,
        part: Int = 1,
        of parts: Int = 1,
        generation: Int = 1,
        term: Int64 = 0,
        size: Int = 512
    ) -> AppendItem {
        let header =
            #"{"base":\#(base),"feed":"\#(feed)","gen":\#(generation),"house":"\#(house)","hub":"\#(UUID())","#
            + #""part":[\#(part),\#(parts)],"prev":"\#(head)","salt":"AAAAAAAAAAAAAAAAAAAAAA==","seq":\#(seq + 1),"#
            + #""term":\#(term),"time":1790000000000,"version":1}"# + "\n"
        var bytes = Data(header.utf8)
        bytes.append(contentsOf: (bytes.count..<max(size, bytes.count)).map { UInt8(truncatingIfNeeded: $0) })
        return AppendItem(feed: feed, expect: seq, prev: head, term: term, bytes: bytes)
    }
}
