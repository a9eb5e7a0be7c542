package import Foundation

extension HubEvent: RPCEvent {
    /// The names of events on the wire.
    package enum Name: String, Sendable, CaseIterable {
        case reset, resumed, change, homeGone, values, reachability, discovered, discoveryLost, asked, questionClosed,
            runs
        case journal
        case media
        case unconfigured, unconfiguredLost
        case setupProgress
        case standing
        case deviceMessage
        case feed
    }

    /// The event's name on the wire.
    package var name: Name {
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
        case .runs: .runs
        case .journal: .journal
        case .media: .media
        case .unconfigured: .unconfigured
        case .unconfiguredLost: .unconfiguredLost
        case .setupProgress: .setupProgress
        case .standing: .standing
        case .deviceMessage: .deviceMessage
        case .feed: .feed
        }
    }

    /// The event's name on the wire, as a string.
    package var method: String { name.rawValue }

    /// Whether the event is a ``reset(_:)``.
    package var isReset: Bool { if case .reset = self { true } else { false } }

    /// Returns the event without its name, as JSON.
    package func payload() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        return switch self {
        case .reset(let snapshot):
            Self.object([
                ("account", try encoder.encode(snapshot.account)),
                ("homes", try encoder.encode(UUIDKeyedDictionary(values: snapshot.homes))),
                ("values", try ValueGroups.json(snapshot.values)),
                ("reachability", try ReachabilityJSON.json(snapshot.reachability)),
                ("runs", try encoder.encode(snapshot.runs)),
            ])
        case .resumed(let present):
            Self.object([
                ("values", try ValueGroups.json(present.values)),
                ("reachability", try ReachabilityJSON.json(present.reachability)),
                ("runs", try encoder.encode(present.runs)),
            ])
        case .change(let change): try change.json()
        case .homeGone(let id), .discoveryLost(let id), .questionClosed(let id), .unconfiguredLost(let id):
            try encoder.encode(["id": id])
        case .values(let updates): Self.object([("values", try ValueGroups.json(updates))])
        case .reachability(let updates): Self.object([("reachability", try ReachabilityJSON.json(updates))])
        case .discovered(let accessory): try encoder.encode(accessory)
        case .unconfigured(let accessory): try encoder.encode(accessory)
        case .asked(let question): try encoder.encode(question)
        case .setupProgress(let progress): try encoder.encode(progress)
        case .standing(let standing): try encoder.encode(standing)
        case .deviceMessage(let message): try encoder.encode(message)
        case .feed(let standing): try encoder.encode(standing)
        case .runs(let updates): Self.object([("runs", try encoder.encode(updates))])
        case .journal(let entry): try encoder.encode(entry)
        case .media(let state): try encoder.encode(state)
        }
    }

    /// Returns positions in logs as the elements of a JSON array.
    package static func json(_ positions: [LogPlace]) -> String {
        // This doesn't use an encoder, because every change waits for the result.
        positions.map { position in
            let home = position.home.map { #""home":"\#($0.uuidString)","# } ?? ""
            return #"{\#(home)"lineage":"\#(position.lineage.uuidString)","revision":\#(position.revision)}"#
        }
        .joined(separator: ",")
    }

    /// Reads an event.
    ///
    /// - Returns: `nil` if the name is unknown, because the hub is newer.
    /// - Throws: `DecodingError` if the payload doesn't match the name.
    package init?(method: String, payload: Data) throws {
        guard let name = Name(rawValue: method) else { return nil }
        try self.init(name: name, payload: payload)
    }

    /// Reads an event of a known name.
    ///
    /// - Throws: `DecodingError` if the payload doesn't match the name.
    package init(name: Name, payload: Data) throws {
        let decoder = JSONDecoder()
        func id() throws -> UUID { try decoder.decode(Identity.self, from: payload).id }
        self =
            switch name {
            case .reset: .reset(try Snapshot(payload))
            case .resumed: .resumed(try LiveSnapshot(payload))
            case .change: .change(try decoder.decode(LogChange.self, from: payload))
            case .homeGone: .homeGone(try id())
            case .values: .values(try ValueGroups.updates(from: try JSONMembers(payload).required("values")))
            case .reachability:
                .reachability(
                    try ReachabilityJSON.updates(from: try JSONMembers(payload).required("reachability"))
                )
            case .discovered: .discovered(try decoder.decode(DiscoveredAccessory.self, from: payload))
            case .discoveryLost: .discoveryLost(try id())
            case .unconfigured: .unconfigured(try decoder.decode(UnconfiguredAccessory.self, from: payload))
            case .unconfiguredLost: .unconfiguredLost(try id())
            case .setupProgress: .setupProgress(try decoder.decode(SetupProgress.self, from: payload))
            case .standing: .standing(try decoder.decode(HubStanding.self, from: payload))
            case .deviceMessage: .deviceMessage(try decoder.decode(DeviceMessage.self, from: payload))
            case .feed: .feed(try decoder.decode(FeedStanding.self, from: payload))
            case .asked: .asked(try decoder.decode(Question.self, from: payload))
            case .questionClosed: .questionClosed(try id())
            case .runs:
                .runs(try decoder.decode([RunUpdate].self, from: try JSONMembers(payload).required("runs")))
            case .journal: .journal(try decoder.decode(JournalEntry.self, from: payload))
            case .media: .media(try decoder.decode(MediaState.self, from: payload))
            }
    }

    private struct Identity: Decodable {
        var id: UUID
    }

    private static func object(_ members: [(name: String, json: Data)]) -> Data {
        var object = Data()
        for (name, json) in members {
            object += (object.isEmpty ? "{" : ",").utf8
            object += "\"\(name)\":".utf8
            object += json
        }
        object += "}".utf8
        return object
    }
}

extension Snapshot {
    /// Decodes the payload of a reset.
    fileprivate init(_ payload: Data) throws {
        let members = JSONMembers(payload)
        let decoder = JSONDecoder()
        let present = try LiveSnapshot(members)
        self.init(
            account: try decoder.decode(Log.self, from: try members.required("account")),
            homes: try decoder.decode(UUIDKeyedDictionary<Log>.self, from: try members.required("homes")).values,
            values: present.values,
            reachability: present.reachability,
            runs: present.runs
        )
    }
}

extension LiveSnapshot {
    /// Decodes the payload of a resumption.
    fileprivate init(_ payload: Data) throws {
        try self.init(JSONMembers(payload))
    }

    fileprivate init(_ members: JSONMembers?) throws {
        self.init(
            values: try ValueGroups.known(from: try members.required("values")),
            reachability: try ReachabilityJSON.updates(from: try members.required("reachability")),
            // Hubs before version 6 don't send runs.
            runs: try members?["runs"].map { try JSONDecoder().decode([RunUpdate].self, from: $0) } ?? []
        )
    }
}

extension JSONMembers? {
    /// The bytes of a member's value.
    fileprivate func required(_ name: String) throws -> Data {
        if let value = self?[name] { return value }
        let context = DecodingError.Context(codingPath: [], debugDescription: "“\(name)” is missing")
        throw DecodingError.dataCorrupted(context)
    }
}
