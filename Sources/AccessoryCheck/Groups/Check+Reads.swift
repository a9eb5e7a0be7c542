internal import HAP
internal import HAPCatalog

extension CheckContext {
    /// An ID that no characteristic has.
    func missingID() async throws -> CharacteristicID {
        let iids = try await database().characteristics.filter { $0.aid == 1 }.map(\.iid)
        return CharacteristicID(aid: 1, iid: (iids.max() ?? 0) + 1000)
    }

    /// Readable characteristics.
    func readable() async throws -> [CheckedDatabase.Characteristic] {
        let characteristics = try await database().characteristics.filter {
            $0.allows("pr") && !["tlv8", "data"].contains($0.format)
        }
        guard characteristics.count > 1 else { throw CheckNotApplicable("No two characteristics can be read.") }
        return characteristics
    }

    /// Throws unless a response is a 207 with these statuses.
    func expectStatuses(
        _ response: HTTPResponse,
        _ statuses: [CharacteristicID: HAPStatus],
        _ what: String
    ) throws {
        try expect(response.status == .multiStatus, "\(what): \(describe(response))")
        let entries = try entries(of: response)
        for (id, status) in statuses {
            let actual = entries.first { $0.id == id }?.status
            try expect(
                actual == Int64(status.rawValue),
                "\(what): \(id) has the status \(actual.map(String.init) ?? "absent") instead of \(status.rawValue)"
            )
        }
    }
}

extension Check {
    private static let source = "HAP 6.7 (Reading Characteristics)"

    /// Returns a check of a query flag.
    private static func flag(_ name: String, _ member: String, _ requirement: String) -> Check {
        Check("reads.\(name)", .must, .paired, requirement, source) { context in
            let id = try await context.readable()[0].id
            let response = try await context.session().get("/characteristics?id=\(id)&\(name)=1")
            try context.expect(response.status == .ok, context.describe(response))
            let entry = try context.entries(of: response).first { $0.id == id }
            try context.expect(entry?.object[member] != nil, "No “\(member)” in \(context.describe(response))")
        }
    }

    static let reads: [Check] = [
        Check(
            "reads.success",
            .must,
            .paired,
            "A read that succeeds returns HTTP 200, and no entry has a status.",
            source
        ) { context in
            let id = try await context.readable()[0].id
            let response = try await context.session().get("/characteristics?id=\(id)")
            try context.expect(response.status == .ok, context.describe(response))
            let entries = try context.entries(of: response)
            try context.expect(entries.map(\.id) == [id], "The entries are \(entries.map(\.id.description)).")
            try context.expect(entries[0].object["status"] == nil, "An entry has a status although all is well.")
            try context.expect(entries[0].value != nil, "The entry has no value.")
        },
        Check(
            "reads.several",
            .must,
            .paired,
            "A read of all readable characteristics returns each of them.",
            source
        ) { context in
            let ids = try await context.readable().map(\.id).prefix(100)
            let query = ids.map(\.description).joined(separator: ",")
            let response = try await context.session().get("/characteristics?id=\(query)")
            let entries = try context.entries(of: response)
            try context.expect(Set(entries.map(\.id)) == Set(ids), "\(entries.count) entries for \(ids.count) IDs")
        },
        Check(
            "reads.order",
            .should,
            .paired,
            "Entries are in the order of the request.",
            source
        ) { context in
            let ids = try await Array(context.readable().map(\.id).prefix(3).reversed())
            let query = ids.map(\.description).joined(separator: ",")
            let response = try await context.session().get("/characteristics?id=\(query)")
            let order = try context.entries(of: response).map(\.id)
            try context.expect(order == ids, "\(order.map(\.description)) for \(ids.map(\.description))")
        },
        Check(
            "reads.missing",
            .must,
            .paired,
            "A read of a missing characteristic returns HTTP 207 with the status -70409.",
            source
        ) { context in
            let id = try await context.missingID()
            let response = try await context.session().get("/characteristics?id=\(id)")
            try context.expectStatuses(response, [id: .noSuchResource], "Reading \(id)")
        },
        Check(
            "reads.partial",
            .must,
            .paired,
            "If one of several entries fails, each entry has a status, and those that succeed have a value.",
            source
        ) { context in
            let (good, bad) = (try await context.readable()[0].id, try await context.missingID())
            let response = try await context.session().get("/characteristics?id=\(good),\(bad)")
            try context.expectStatuses(response, [good: .success, bad: .noSuchResource], "Reading both")
            let value = try context.entries(of: response).first { $0.id == good }?.value
            try context.expect(value != nil, "The entry that succeeded has no value.")
        },
        Check(
            "reads.write-only",
            .must,
            .paired,
            "A read of a characteristic that can't be read returns HTTP 207 with the status -70405.",
            source
        ) { context in
            let writeOnly = try await context.database().characteristics.first { !$0.allows("pr") && $0.allows("pw") }
            guard let id = writeOnly?.id else { throw CheckNotApplicable("Every characteristic can be read.") }
            let response = try await context.session().get("/characteristics?id=\(id)")
            try context.expectStatuses(response, [id: .writeOnly], "Reading \(id)")
        },
        flag("meta", "format", "With meta=1, an entry has the format."),
        flag("perms", "perms", "With perms=1, an entry has the permissions."),
        flag("type", "type", "With type=1, an entry has the type."),
        Check(
            "reads.ev",
            .must,
            .paired,
            "With ev=1, an entry says whether this connection is subscribed.",
            source
        ) { context in
            let subject = try await context.subject()
            let connection = try await context.newSession()
            for isSubscribed in [true, false] {
                _ = try await context.write([(subject.id, #""ev":\#(isSubscribed)"#)], on: connection)
                let response = try await connection.get("/characteristics?id=\(subject.id)&ev=1")
                let value = try context.entries(of: response).first?.object["ev"]
                try context.expect(
                    value == .bool(isSubscribed),
                    "ev is \(value.map { "\($0)" } ?? "absent") after writing ev=\(isSubscribed)"
                )
            }
        },
        Check(
            "reads.malformed",
            .must,
            .paired,
            "A malformed list of IDs gets HTTP 400, 422 or 204.",
            source
        ) { context in
            let connection = try await context.newSession()
            for query in ["id=x", "id=1", "id=1.", "id=1.9.9"] {
                let response = try await connection.get("/characteristics?\(query)")
                try context.expect(
                    [400, 422, 204].contains(response.status.rawValue),
                    "\(query): \(context.describe(response))"
                )
            }
        },
        Check(
            "reads.no-ids",
            .should,
            .paired,
            "A read without IDs gets HTTP 400, 422 or 204.",
            source
        ) { context in
            let response = try await context.newSession().get("/characteristics")
            try context.expect([400, 422, 204].contains(response.status.rawValue), context.describe(response))
        },
        Check(
            "reads.large-ids",
            .should,
            .paired,
            "IDs up to 2^64-1 are read as whole numbers.",
            source
        ) { context in
            let id = CharacteristicID(aid: 1, iid: .max)
            let response = try await context.session().get("/characteristics?id=\(id)")
            try context.expectStatuses(response, [id: .noSuchResource], "Reading \(id)")
        },
    ]
}
