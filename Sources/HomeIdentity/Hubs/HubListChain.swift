import Foundation

/// Signed lists of hubs that lead from an earlier one to the present one, for a device that missed those between.
///
/// Each list is believed for its own signature only: ``PinnedHubs`` decides. To read a feed, a hub's key would be enough. But the
/// signature of a list is over all that it says of its hubs, so each hub is in the chain whole, and once.
package struct HubListChain: Hashable, Sendable {
    private struct Line: Codable {
        struct List: Codable {
            var seq: Int
            /// The list's hubs, as indices.
            var hubs: [Int]
            var signature: Data
        }

        var hubs: [HubMember]
        var lists: [List]
    }

    /// The lists, the oldest first. There is at least one.
    package let lists: [SignedHubList]

    /// The list that counts.
    package var newest: SignedHubList { lists[lists.count - 1] }

    /// Creates a chain with as many lists as fit, the newest first.
    ///
    /// - Parameters:
    ///   - newest: The list that counts.
    ///   - former: Earlier lists in any order. Of two with one number, the first counts.
    package init(_ newest: SignedHubList, after former: [SignedHubList] = []) {
        var lists = [newest]
        var members = Set(newest.list.members)
        let earlier = Dictionary(former.map { ($0.list.sequence, $0) }) { first, _ in first }
        for (sequence, list) in earlier.sorted(by: { $0.key > $1.key }) where sequence < newest.list.sequence {
            members.formUnion(list.list.members)
            guard lists.count < HubListLimits.maximumLists, members.count <= HubListLimits.maximumChainHubs else {
                break
            }
            lists.append(list)
        }
        self.lists = lists.reversed()
    }

    /// Reads a chain. Its signatures aren't checked.
    ///
    /// - Throws: ``HubListError`` with `malformed`.
    package init(_ bytes: [UInt8]) throws(HubListError) {
        guard bytes.count <= HubListLimits.maximumChainBytes, let line = LineJSON.decode(Line.self, from: bytes) else {
            throw .malformed("it isn't a chain of lists")
        }
        var lists: [SignedHubList] = []
        for list in line.lists {
            guard list.hubs.allSatisfy(line.hubs.indices.contains) else {
                throw .malformed("a hub isn't there")
            }
            let read = try HubList(sequence: list.seq, members: list.hubs.map { line.hubs[$0] })
            guard let signed = SignedHubList(read, signature: Array(list.signature)) else {
                throw .malformed("a signature is missing")
            }
            lists.append(signed)
        }
        guard let newest = lists.last else { throw .malformed("it has no list") }
        self.init(newest, after: Array(lists.dropLast()))
        // What the limits leave out, or another order, would have other bytes.
        guard self.bytes == bytes else { throw .malformed("it isn't in canonical form") }
    }

    /// The bytes: JSON in which each hub is once.
    package var bytes: [UInt8] {
        var members: [HubMember] = []
        let lines = lists.map { signed in
            let indices = signed.list.members.map { member in
                if let index = members.firstIndex(of: member) { return index }
                members.append(member)
                return members.count - 1
            }
            return Line.List(seq: signed.list.sequence, hubs: indices, signature: Data(signed.signature))
        }
        return LineJSON.encode(Line(hubs: members, lists: lines))
    }
}
