internal import HAP
internal import HAPCatalog

extension Check {
    private static let source = "HAP 6.7 (Writing Characteristics)"

    /// A value that must be refused, and must change nothing.
    private static func refused(
        _ name: String,
        _ severity: Severity,
        _ requirement: String,
        _ value: @escaping @Sendable (CheckSubject) -> String?
    ) -> Check {
        Check("writes.\(name)", severity, .paired, requirement, source) { context in
            let subject = try await context.subject()
            guard let value = value(subject) else { throw CheckNotApplicable("Every value is valid.") }
            let connection = try await context.newSession()
            let before = try await context.willChange(subject, on: connection)
            let response = try await context.write([(subject.id, #""value":\#(value)"#)], on: connection)
            try context.expectStatuses(response, [subject.id: .invalidValue], "Writing \(value)")
            let after = try await context.value(of: subject.id, on: connection)
            try context.expect(before == after, "The value changed although the write was refused.")
        }
    }

    static let writes: [Check] = [
        Check(
            "writes.success",
            .must,
            .paired,
            "A write that succeeds returns HTTP 204, and the value is then read back.",
            source
        ) { context in
            let subject = try await context.subject()
            let connection = try await context.newSession()
            for _ in 0..<2 {
                let value = try await context.change(subject, on: connection)
                let actual = try await context.value(of: subject.id, on: connection)
                try context.expect(
                    CheckSubject.isSame(value, actual),
                    "\(value) was written, \(actual.map { "\($0)" } ?? "nothing") is read."
                )
            }
        },
        Check(
            "writes.empty-body",
            .must,
            .paired,
            "HTTP 204 has no body and no Content-Length but 0.",
            "RFC 9110, 15.3.5; RFC 9112, 6"
        ) { context in
            let subject = try await context.subject()
            let connection = try await context.newSession()
            let value = subject.other(than: try await context.willChange(subject, on: connection))
            let response = try await context.write([(subject.id, #""value":\#(value)"#)], on: connection)
            try context.expect(response.status == .noContent, context.describe(response))
            let length = response.headers["Content-Length"]
            try context.expect((length ?? "0") == "0", "Content-Length: \(PrintableText.excerpt(length ?? ""))")
        },
        Check(
            "writes.bool-forms",
            .must,
            .paired,
            "A bool is accepted as true, false, 1 and 0.",
            "HAP 6.6 (Characteristics)"
        ) { context in
            let subject = try await context.subject()
            guard subject.characteristic.format == "bool" else {
                throw CheckNotApplicable("No bool may be written.")
            }
            let connection = try await context.newSession()
            try await context.willChange(subject, on: connection)
            for value in ["1", "0", "true", "false"] {
                let response = try await context.write([(subject.id, #""value":\#(value)"#)], on: connection)
                try context.expect(response.status == .noContent, "Writing \(value): \(context.describe(response))")
                let actual = try await context.value(of: subject.id, on: connection)
                try context.expect(
                    CheckSubject.isSame(value, actual),
                    "\(value) was written, \(actual.map { "\($0)" } ?? "nothing") is read."
                )
            }
        },
        refused(
            "out-of-range",
            .must,
            "A value out of the format or the bounds gets the status -70410 and changes nothing."
        ) { $0.invalid },
        refused(
            "wrong-kind",
            .must,
            "A value of another JSON kind gets the status -70410 and changes nothing."
        ) { _ in "[]" },
        refused("string", .should, "A string isn't taken for a number or a bool.") { #""\#($0.values[1])""# },
        refused("null", .should, "The value null gets the status -70410 and changes nothing.") { _ in "null" },
        Check(
            "writes.read-only",
            .must,
            .paired,
            "A write to a characteristic that can't be written returns HTTP 207 with the status -70404.",
            source
        ) { context in
            let readOnly = try await context.database().first(
                HAPType.Characteristic.model,
                in: HAPType.Service.accessoryInformation
            )
            guard let readOnly, !readOnly.allows("pw") else { throw CheckNotApplicable("The model can be written.") }
            let response = try await context.write([(readOnly.id, #""value":"x""#)], on: context.newSession())
            try context.expectStatuses(response, [readOnly.id: .readOnly], "Writing the model")
        },
        Check(
            "writes.missing",
            .must,
            .paired,
            "A write to a missing characteristic returns HTTP 207 with the status -70409.",
            source
        ) { context in
            let id = try await context.missingID()
            let response = try await context.write([(id, #""value":1"#)], on: context.newSession())
            try context.expectStatuses(response, [id: .noSuchResource], "Writing \(id)")
        },
        Check(
            "writes.partial",
            .must,
            .paired,
            "If one of several entries fails, each entry has a status, and the others are applied.",
            source
        ) { context in
            let (subject, missing) = (try await context.subject(), try await context.missingID())
            let connection = try await context.newSession()
            let value = subject.other(than: try await context.willChange(subject, on: connection))
            let response = try await context.write(
                [(missing, #""value":1"#), (subject.id, #""value":\#(value)"#)],
                on: connection
            )
            try context.expectStatuses(response, [missing: .noSuchResource, subject.id: .success], "Writing both")
            let actual = try await context.value(of: subject.id, on: connection)
            try context.expect(CheckSubject.isSame(value, actual), "The valid entry wasn't applied.")
        },
        Check(
            "writes.empty-entry",
            .should,
            .paired,
            "An entry with neither a value nor ev gets the status -70410.",
            source
        ) { context in
            let subject = try await context.subject()
            let response = try await context.write([(subject.id, "")], on: context.newSession())
            try context.expectStatuses(response, [subject.id: .invalidValue], "An empty entry")
        },
        Check(
            "writes.response",
            .should,
            .paired,
            "A write with r to a characteristic without wr is refused, or returns HTTP 207.",
            source
        ) { context in
            let subject = try await context.subject()
            let connection = try await context.newSession()
            let value = subject.other(than: try await context.willChange(subject, on: connection))
            let response = try await context.write([(subject.id, #""value":\#(value),"r":true"#)], on: connection)
            try context.expect(response.status == .multiStatus, context.describe(response))
        },
        Check(
            "writes.value-and-ev",
            .must,
            .paired,
            "One entry can have both a value and ev.",
            source
        ) { context in
            let subject = try await context.subject()
            let connection = try await context.newSession()
            let value = subject.other(than: try await context.willChange(subject, on: connection))
            let response = try await context.write([(subject.id, #""value":\#(value),"ev":true"#)], on: connection)
            try context.expect(response.status == .noContent, context.describe(response))
            let read = try await connection.get("/characteristics?id=\(subject.id)&ev=1")
            let entry = try context.entries(of: read).first
            try context.expect(
                CheckSubject.isSame(value, entry?.value) && entry?.object["ev"] == .bool(true),
                "Then: \(context.describe(read))"
            )
        },
        Check(
            "writes.malformed",
            .must,
            .paired,
            "A body that isn't JSON gets HTTP 400.",
            source
        ) { context in
            let connection = try await context.newSession()
            let response = try await connection.put("/characteristics", #"{"characteristics":["#)
            try context.expect(response.status == .badRequest, context.describe(response))
        },
        Check(
            "writes.no-list",
            .should,
            .paired,
            "A body without characteristics gets HTTP 400.",
            source
        ) { context in
            let connection = try await context.newSession()
            let response = try await connection.put("/characteristics", "{}")
            try context.expect(
                [400, 422].contains(response.status.rawValue),
                context.describe(response)
            )
        },
        Check(
            "writes.no-iid",
            .should,
            .paired,
            "An entry without an iid gets HTTP 400, 422 or a status.",
            source
        ) { context in
            let connection = try await context.newSession()
            let body = #"{"characteristics":[{"aid":1,"value":1}]}"#
            let response = try await connection.put("/characteristics", body)
            try context.expect([400, 422, 207].contains(response.status.rawValue), context.describe(response))
        },
        Check(
            "writes.identify",
            .must,
            .paired,
            "Identify can be written.",
            "HAP 8 (Accessory Information)"
        ) { context in
            let identify = try await context.database().first(
                HAPType.Characteristic.identify,
                in: HAPType.Service.accessoryInformation
            )
            guard let identify else { throw CheckNotApplicable("There is no Identify.") }
            let response = try await context.write([(identify.id, #""value":true"#)], on: context.newSession())
            try context.expect(response.status == .noContent, context.describe(response))
        },
    ]
}
