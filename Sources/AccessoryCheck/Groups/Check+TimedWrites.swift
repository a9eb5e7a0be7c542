internal import HAP
internal import HAPCatalog

extension CheckContext {
    /// Announces a timed write.
    func prepare(_ pid: UInt64, ttl: Int = 10_000, on connection: ControllerConnection) async throws {
        let response = try await connection.put("/prepare", #"{"ttl":\#(ttl),"pid":\#(pid)}"#)
        try expect(response.status == .ok, "PUT /prepare: \(describe(response))")
        let status = try json(response).object?["status"]
        try expect(status == .integer(0), "PUT /prepare: \(describe(response))")
    }

    /// Throws unless a timed write with a PID is refused, and changes nothing.
    func expectTimedRefusal(
        _ subject: CheckSubject,
        pid: UInt64,
        on connection: ControllerConnection,
        _ what: String
    ) async throws {
        let before = try await willChange(subject, on: connection)
        let other = subject.other(than: before)
        let response = try await write([(subject.id, #""value":\#(other)"#)], pid: pid, on: connection)
        try expectStatuses(response, [subject.id: .invalidValue], what)
        try expect(
            try await value(of: subject.id, on: connection) == before,
            "\(what): the value changed although the write was refused"
        )
    }
}

extension Check {
    private static let source = "HAP 6.7 (Timed Writes)"

    static let timedWrites: [Check] = [
        Check(
            "timed-writes.prepare",
            .must,
            .paired,
            "PUT /prepare returns HTTP 200 with the status 0, even if no characteristic requires timed writes.",
            source
        ) { context in
            try await context.prepare(1, on: context.newSession())
        },
        Check(
            "timed-writes.write",
            .must,
            .paired,
            "A write with the prepared PID succeeds.",
            source
        ) { context in
            let subject = try await context.subject()
            let connection = try await context.newSession()
            let value = subject.other(than: try await context.willChange(subject, on: connection))
            try await context.prepare(11_122_333, on: connection)
            let response = try await context.write(
                [(subject.id, #""value":\#(value)"#)],
                pid: 11_122_333,
                on: connection
            )
            try context.expect(response.status == .noContent, context.describe(response))
            let actual = try await context.value(of: subject.id, on: connection)
            try context.expect(CheckSubject.isSame(value, actual), "The value wasn't applied.")
        },
        Check(
            "timed-writes.large-pid",
            .must,
            .paired,
            "A PID can be up to 2^64-1.",
            source
        ) { context in
            try await context.prepare(.max, on: context.newSession())
        },
        Check(
            "timed-writes.wrong-pid",
            .must,
            .paired,
            "A write with another PID than the prepared one gets the status -70410 and changes nothing.",
            source
        ) { context in
            let subject = try await context.subject()
            let connection = try await context.newSession()
            try await context.prepare(1, on: connection)
            try await context.expectTimedRefusal(subject, pid: 2, on: connection, "Another PID")
        },
        Check(
            "timed-writes.unprepared",
            .must,
            .paired,
            "A write with a PID that wasn't prepared gets the status -70410 and changes nothing.",
            source
        ) { context in
            let subject = try await context.subject()
            let connection = try await context.newSession()
            try await context.expectTimedRefusal(subject, pid: 3, on: connection, "A PID that wasn't prepared")
        },
        Check(
            "timed-writes.once",
            .must,
            .paired,
            "A prepared PID is good for one write.",
            source
        ) { context in
            let subject = try await context.subject()
            let connection = try await context.newSession()
            let value = subject.other(than: try await context.willChange(subject, on: connection))
            try await context.prepare(4, on: connection)
            _ = try await context.write([(subject.id, #""value":\#(value)"#)], pid: 4, on: connection)
            try await context.expectTimedRefusal(subject, pid: 4, on: connection, "The second write with a PID")
        },
        Check(
            "timed-writes.late",
            .must,
            .paired,
            "A write after the time to live gets the status -70410 and changes nothing.",
            source
        ) { context in
            let subject = try await context.subject()
            let connection = try await context.newSession()
            try await context.prepare(5, ttl: 1, on: connection)
            try await Task.sleep(for: .milliseconds(50))
            try await context.expectTimedRefusal(subject, pid: 5, on: connection, "A late write")
        },
        Check(
            "timed-writes.connection",
            .security,
            .paired,
            "A PID that was prepared on another connection gets the status -70410 and changes nothing.",
            source
        ) { context in
            let subject = try await context.subject()
            let first = try await context.newSession()
            try await context.prepare(6, on: first)
            let second = try await context.newSession()
            try await context.expectTimedRefusal(subject, pid: 6, on: second, "Another connection's PID")
            withExtendedLifetime(first) {}
        },
        Check(
            "timed-writes.required",
            .security,
            .paired,
            "A plain write to a characteristic that requires timed writes (tw) gets the status -70410.",
            source
        ) { context in
            let timed = try await context.database().characteristics.first { $0.allows("tw") && $0.allows("pw") }
            guard let timed, let value = timed.value.flatMap({ CheckSubject.text($0) }) else {
                throw CheckNotApplicable("No characteristic requires timed writes.")
            }
            let response = try await context.write([(timed.id, #""value":\#(value)"#)], on: context.newSession())
            try context.expectStatuses(response, [timed.id: .invalidValue], "A plain write to \(timed.name)")
        },
        Check(
            "timed-writes.malformed",
            .should,
            .paired,
            "PUT /prepare without a PID is refused.",
            source
        ) { context in
            let connection = try await context.newSession()
            let response = try await connection.put("/prepare", #"{"ttl":1000}"#)
            let status = (try? context.json(response))?.object?["status"]?.integer
            try context.expect(
                response.status.rawValue >= 400 || (status ?? 0) != 0,
                context.describe(response)
            )
        },
    ]
}
