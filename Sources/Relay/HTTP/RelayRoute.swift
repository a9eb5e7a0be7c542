import Foundation
import HTTPTypes
import HomeIdentity
import RelayAPI

/// What a request's path names.
enum RelayRoute: Hashable, Sendable {
    case health
    case description
    case session
    case house(HouseID)
    case append(HouseID)
    case vault(HouseID)
    case votes(HouseID)
    case base(HouseID)
    case live(HouseID)
    case frames(HouseID, stream: UUID)
    case feed(HouseID, FeedID)
    case readers(HouseID, FeedID)
    case entries(HouseID, FeedID)
    case keys(HouseID, FeedID, generation: Int64)
    case beat(HouseID, FeedID)

    /// The kinds of routes. The raw values are labels of metrics.
    enum Kind: String, CaseIterable {
        case health, description, session, house, append, vault, votes, base, live, frames, feed, readers, entries,
            keys, beat

        /// The path, with the names of its parameters.
        var pattern: String {
            switch self {
            case .health: "/health"
            case .description: "/v1"
            case .session: "/v1/session"
            case .house: "/v1/houses/{house}"
            case .append: "/v1/houses/{house}/entries"
            case .vault: "/v1/houses/{house}/vault"
            case .votes: "/v1/houses/{house}/votes"
            case .base: "/v1/houses/{house}/base"
            case .live: "/v1/houses/{house}/live"
            case .frames: "/v1/houses/{house}/live/{stream}"
            case .feed: "/v1/houses/{house}/feeds/{feed}"
            case .readers: "/v1/houses/{house}/feeds/{feed}/readers"
            case .entries: "/v1/houses/{house}/feeds/{feed}/entries"
            case .keys: "/v1/houses/{house}/feeds/{feed}/keys/{generation}"
            case .beat: "/v1/houses/{house}/feeds/{feed}/beat"
            }
        }

        /// The methods.
        var methods: [HTTPRequest.Method] {
            switch self {
            case .health, .description: [.get, .head]
            case .session, .append, .votes, .frames: [.post]
            case .house, .readers, .beat: [.put]
            case .keys, .base: [.get, .put]
            case .live, .entries: [.get]
            case .feed, .vault: [.get, .put, .delete]
            }
        }
    }

    /// Reads a path. Returns `nil` if it names nothing.
    init?(_ path: String) {
        guard path.utf8.count <= 256 else { return nil }
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init)
        switch (parts.count, parts.first) {
        case (1, "health"): self = .health
        case (1, "v1"): self = .description
        case (2, "v1") where parts[1] == "session": self = .session
        case (3..., "v1") where parts[1] == "houses":
            guard let house = HouseID(hex: parts[2]), let route = Self.route(in: house, Array(parts.dropFirst(3)))
            else {
                return nil
            }
            self = route
        default: return nil
        }
    }

    private static func route(in house: HouseID, _ parts: [String]) -> RelayRoute? {
        switch parts.first {
        case nil: return .house(house)
        case "entries" where parts.count == 1: return .append(house)
        case "vault" where parts.count == 1: return .vault(house)
        case "votes" where parts.count == 1: return .votes(house)
        case "base" where parts.count == 1: return .base(house)
        case "live" where parts.count == 1: return .live(house)
        case "live" where parts.count == 2: return UUID(uuidString: parts[1]).map { .frames(house, stream: $0) }
        case "feeds" where parts.count >= 2:
            guard let feed = FeedID(hex: parts[1]) else { return nil }
            switch (parts.count, parts.count > 2 ? parts[2] : "") {
            case (2, _): return .feed(house, feed)
            case (3, "readers"): return .readers(house, feed)
            case (3, "entries"): return .entries(house, feed)
            case (3, "beat"): return .beat(house, feed)
            case (4, "keys"): return number(parts[3]).map { .keys(house, feed, generation: $0) }
            default: return nil
            }
        default: return nil
        }
    }

    /// Reads a number within ``RelayAPI/RelayLimits/maximumNumber``, in digits only.
    static func number(_ text: some StringProtocol) -> Int64? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let number = Int64(text), number < RelayLimits.maximumNumber
        else { return nil }
        return number
    }

    /// The house; `nil` for what isn't a house's.
    var house: HouseID? {
        switch self {
        case .health, .description, .session: nil
        case .house(let house), .append(let house), .vault(let house), .votes(let house), .base(let house),
            .live(let house),
            .frames(let house, _),
            .feed(let house, _),
            .readers(let house, _), .entries(let house, _), .keys(let house, _, _), .beat(let house, _):
            house
        }
    }

    var kind: Kind {
        switch self {
        case .health: .health
        case .description: .description
        case .session: .session
        case .house: .house
        case .append: .append
        case .vault: .vault
        case .votes: .votes
        case .base: .base
        case .live: .live
        case .frames: .frames
        case .feed: .feed
        case .readers: .readers
        case .entries: .entries
        case .keys: .keys
        case .beat: .beat
        }
    }
}
