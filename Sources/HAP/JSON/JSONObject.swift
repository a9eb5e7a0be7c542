/// The members of a JSON object, in their original order. Names are unique. Two objects are equal only if their members
/// are in the same order.
public struct JSONObject: Hashable, Sendable {
    /// The number of members up to which a linear search is faster than hashing.
    private static let linearLimit = 16

    private var members: [Member] = []
    /// The indices of the members by name, if there are more than ``linearLimit``.
    private var positions: [String: Int] = [:]

    /// A name and its value.
    public struct Member: Hashable, Sendable {
        /// The name.
        public let name: String
        /// The value.
        public let value: JSONValue
    }

    /// Creates an object without members.
    public init() {}

    /// The value of the member with the name, or `nil` if there is none.
    public subscript(name: String) -> JSONValue? {
        position(of: name).map { members[$0].value }
    }

    /// Adds a member. Returns `false` if the name is already in use.
    mutating func add(_ name: String, _ value: JSONValue) -> Bool {
        guard position(of: name) == nil else { return false }
        members.append(Member(name: name, value: value))
        if members.count == Self.linearLimit + 1 {
            for (position, member) in members.enumerated() { positions[member.name] = position }
        } else if members.count > Self.linearLimit {
            positions[name] = members.count - 1
        }
        return true
    }

    private func position(of name: String) -> Int? {
        members.count > Self.linearLimit ? positions[name] : members.firstIndex { $0.name == name }
    }
}

extension JSONObject: RandomAccessCollection {
    /// The position of the first member.
    public var startIndex: Int { members.startIndex }
    /// The position after the last member.
    public var endIndex: Int { members.endIndex }
    /// The member at the position.
    public subscript(position: Int) -> Member { members[position] }
}
