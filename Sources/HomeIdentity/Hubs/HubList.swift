package import Foundation

/// The hubs that keep homes together, as a value: one or two, each with an ID, a key and a box of its own.
///
/// Each change makes a list with a larger number. Among lists, the number decides which one counts.
package struct HubList: Hashable, Sendable {
    /// The number, from 1.
    package let sequence: Int
    /// The hubs, in the order in which they joined.
    package let members: [HubMember]

    /// Creates a list.
    ///
    /// - Throws: ``HubListError`` with `malformed` if the number is out of range, if there are no hubs or too many, or if two
    ///   have the same ID, key or box.
    package init(sequence: Int, members: [HubMember]) throws(HubListError) {
        guard (1...HubListLimits.maximumSequence).contains(sequence) else {
            throw .malformed("its number is out of range")
        }
        guard (1...HubListLimits.maximumHubs).contains(members.count) else {
            throw .malformed("it has \(members.count) hubs, and 1 to \(HubListLimits.maximumHubs) are possible")
        }
        guard Set(members.map(\.id)).count == members.count, Set(members.map(\.key)).count == members.count,
            Set(members.map(\.box)).count == members.count
        else { throw .malformed("two of its hubs have the same ID or key") }
        self.sequence = sequence
        self.members = members
    }

    /// Creates the first list, of one hub.
    package init(founder: HubMember) {
        sequence = 1
        members = [founder]
    }

    /// Returns the hub with an ID.
    package func member(_ id: UUID) -> HubMember? { members.first { $0.id == id } }

    /// Returns the hub with a key.
    package func member(with key: PublicKey) -> HubMember? { members.first { $0.key == key } }

    /// The keys of the hubs, in order.
    package var keys: [PublicKey] { members.map(\.key) }

    /// Returns the next list, with one more hub.
    ///
    /// - Throws: ``HubListError`` with `tooManyHubs`, `alreadyMember`, or `malformed` if its box isn't a key.
    package func adding(_ member: HubMember) throws(HubListError) -> HubList {
        guard !members.contains(where: { $0.id == member.id || $0.key == member.key || $0.box == member.box }) else {
            throw .alreadyMember
        }
        guard members.count < HubListLimits.maximumHubs else { throw .tooManyHubs }
        guard member.box.isKey else { throw .malformed("the box of the new hub isn't a key") }
        return try HubList(sequence: nextSequence(), members: members + [member])
    }

    /// Returns the next list, without a hub that leaves or is lost.
    ///
    /// - Throws: ``HubListError`` with `notMember` or `lastHub`.
    package func removing(_ id: UUID) throws(HubListError) -> HubList {
        guard member(id) != nil else { throw .notMember }
        guard members.count > 1 else { throw .lastHub }
        return try HubList(sequence: nextSequence(), members: members.filter { $0.id != id })
    }

    private func nextSequence() throws(HubListError) -> Int {
        guard sequence < HubListLimits.maximumSequence else { throw .exhausted }
        return sequence + 1
    }
}
