public import Foundation

extension HubEvent {
    /// The event's name on the wire.
    public enum Name: String, Sendable, CaseIterable {
        case reset, resumed, change, homeGone, values, reachability, discovered, discoveryLost, asked, questionClosed
    }

    /// The event's name on the wire.
    public var name: Name {
        switch self {
        case .reset: .reset
        case .resumed: .resumed
        case .change: .change
        case .homeGone: .homeGone
        case .values: .values
        case .reachability: .reachability
        case .discovered: .discovered
        case .discoveryLost: .discoveryLost
        case .asked: .asked
        case .questionClosed: .questionClosed
        }
    }

    /// The event without its name, as JSON.
    public func payload() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        return switch self {
        case .reset(let snapshot): try encoder.encode(snapshot)
        case .resumed(let present): try encoder.encode(present)
        case .change(let change): try encoder.encode(change)
        case .homeGone(let id), .discoveryLost(let id), .questionClosed(let id): try encoder.encode(["id": id])
        case .values(let updates): try encoder.encode(["updates": updates])
        case .reachability(let updates): try encoder.encode(["updates": updates])
        case .discovered(let accessory): try encoder.encode(accessory)
        case .asked(let question): try encoder.encode(question)
        }
    }

    /// Reads an event back.
    ///
    /// - Throws: `DecodingError` when the payload is not of the form that the name asks for.
    public init(name: Name, payload: Data) throws {
        let decoder = JSONDecoder()
        func id() throws -> UUID { try decoder.decode(Identity.self, from: payload).id }
        self =
            switch name {
            case .reset: .reset(try decoder.decode(Snapshot.self, from: payload))
            case .resumed: .resumed(try decoder.decode(Present.self, from: payload))
            case .change: .change(try decoder.decode(LogChange.self, from: payload))
            case .homeGone: .homeGone(try id())
            case .values: .values(try decoder.decode(Updates<ValueUpdate>.self, from: payload).updates)
            case .reachability:
                .reachability(try decoder.decode(Updates<ReachabilityUpdate>.self, from: payload).updates)
            case .discovered: .discovered(try decoder.decode(DiscoveredAccessory.self, from: payload))
            case .discoveryLost: .discoveryLost(try id())
            case .asked: .asked(try decoder.decode(Question.self, from: payload))
            case .questionClosed: .questionClosed(try id())
            }
    }

    private struct Identity: Decodable {
        var id: UUID
    }

    private struct Updates<Update: Decodable>: Decodable {
        var updates: [Update]
    }
}
