internal import HAP
internal import HAPCatalog

extension Check {
    private static let source = "HAP 6.7 (Writing Characteristics); RFC 8259"

    /// Bodies that aren't JSON, or aren't the JSON of a write. `AID`, `IID` and `VALUE` are placeholders for another value
    /// of the subject.
    private static let malformed: [String] = [
        "", " ", "null", "[]", "1", #""x""#, "{", "{}", #"{"characteristics":null}"#, #"{"characteristics":{}}"#,
        #"{"characteristics":[null]}"#, #"{"characteristics":[[]]}"#, #"{"characteristics":[1]}"#,
        #"{"characteristics":[{"aid":AID,"iid":IID,"value":True}]}"#,
        #"{"characteristics":[{"aid":AID,"iid":IID,"value":'1'}]}"#,
        "\u{FEFF}{\"characteristics\":[{\"aid\":AID,\"iid\":IID,\"value\":VALUE}]}",
        #"{"characteristics":[{"aid":AID,"iid":IID,"value":VALUE}]}x"#,
        #"{"characteristics":[{"aid":AID,"iid":IID,"value":VALUE}]}{}"#,
        "{\"characteristics\":[{\"aid\":AID,\"iid\":IID,\"value\":VALUE}]}\u{0}",
        #"{"characteristics":[{"aid":AID,"iid":IID,"value":VALUE},]}"#,
        #"{"characteristics":[{"aid":AID,"iid":IID,"value":VALUE,}]}"#,
        #"{"characteristics":[{"aid":AID,"iid":IID,"value":VALUE}]"#,
        #"{"characteristics":[{"aid":AID,"iid":IID,"value":VALUE}] /* */ }"#,
        #"{characteristics:[{"aid":AID,"iid":IID,"value":VALUE}]}"#,
    ]

    private static let deep: [String] = [
        String(repeating: "[", count: 100_000), String(repeating: #"{"a":"#, count: 100_000),
        #"{"characteristics":\#(String(repeating: "[", count: 40))\#(String(repeating: "]", count: 40))}"#,
    ]

    private static let numbers: [String] = [
        "1e400", "-1e400", "NaN", "Infinity", "01", "+1", "1.", ".1", "0x1",
    ].map { #"{"characteristics":[{"aid":AID,"iid":IID,"value":\#($0)}]}"# }

    private static let strings: [String] = [
        #""\ud800""#, #""\udc00\ud800""#, #""\ud800\u0041""#, #""\x41""#, "\"\u{0}\"", "\"\n\"",
    ].map { #"{"characteristics":[{"aid":AID,"iid":IID,"value":\#($0)}]}"# }

    private static let duplicates: [String] = [
        #"{"characteristics":[{"aid":AID,"iid":IID,"value":CURRENT,"value":VALUE}]}"#,
        #"{"characteristics":[{"aid":AID,"aid":AID,"iid":IID,"value":VALUE}]}"#,
        #"{"characteristics":[],"characteristics":[{"aid":AID,"iid":IID,"value":VALUE}]}"#,
    ]

    /// Members of a wrong type, or none.
    private static let kinds: [String] = [
        #"{"characteristics":[{"iid":IID,"value":VALUE}]}"#, #"{"characteristics":[{"aid":AID,"value":VALUE}]}"#,
        #"{"characteristics":[{"aid":"AID","iid":IID,"value":VALUE}]}"#,
        #"{"characteristics":[{"aid":1.5,"iid":IID,"value":VALUE}]}"#,
        #"{"characteristics":[{"aid":-1,"iid":IID,"value":VALUE}]}"#,
        #"{"characteristics":[{"aid":18446744073709551617,"iid":IID,"value":VALUE}]}"#,
        #"{"characteristics":[{"aid":true,"iid":IID,"value":VALUE}]}"#,
        #"{"characteristics":[{"aid":AID,"iid":IID,"value":VALUE}],"pid":-1}"#,
        #"{"characteristics":[{"aid":AID,"iid":IID,"value":VALUE}],"pid":18446744073709551616}"#,
        #"{"characteristics":[{"aid":AID,"iid":IID,"value":VALUE}],"pid":"1"}"#,
        #"{"characteristics":[{"aid":AID,"iid":IID,"value":VALUE}],"pid":null}"#,
    ]

    /// Returns an attack with writes that aren't valid.
    private static func writes(
        _ name: String,
        _ requirement: String,
        _ bodies: [String]
    ) -> Check {
        attack(name, .pairedAttack, requirement, source) { context in
            let attacker = Attacker(context, as: try context.controller())
            for body in bodies {
                let text = try await filled(body, context)
                let answer = try await attacker.put("/characteristics", Array(text.utf8))
                try context.expectRefused(answer, as: .http(.badRequest), PrintableText.excerpt(text, limit: 80))
            }
        }
    }

    private static func filled(_ text: String, _ context: CheckContext) async throws -> String {
        let subject = try await context.subject()
        let value = try await context.attackValue()
        let current = subject.values.first { $0 != value } ?? value
        return text.replacing("AID", with: "\(subject.id.aid)").replacing("IID", with: "\(subject.id.iid)")
            .replacing("VALUE", with: value).replacing("CURRENT", with: current)
    }

    /// Returns an attack with single entries that must get the status -70410.
    private static func entries(
        _ name: String,
        _ requirement: String,
        _ members: @escaping @Sendable (CheckSubject, CheckContext) async throws -> [String]
    ) -> Check {
        attack(name, .pairedAttack, requirement, source) { context in
            let subject = try await context.subject()
            let attacker = Attacker(context, as: try context.controller())
            for members in try await members(subject, context) {
                let entry = #"{"aid":\#(subject.id.aid),"iid":\#(subject.id.iid),\#(members)}"#
                let answer = try await attacker.put(
                    "/characteristics",
                    Array(#"{"characteristics":[\#(entry)]}"#.utf8)
                )
                try context.expectRefused(answer, as: .entry(subject.id, .invalidValue), members)
                let read = try await context.session().get("/characteristics?id=\(subject.id)&ev=1")
                let isSubscribed = try context.entries(of: read).first?.object["ev"] == .bool(true)
                try context.expect(!isSubscribed, "\(members) subscribed another session.")
            }
        }
    }

    /// Attacks on the reading of JSON and of queries, by a verified controller.
    static let jsonAttacks: [Check] = [
        writes("json-malformed", "A write that isn't JSON is refused and changes nothing.", malformed),
        writes("json-depth", "A write that is nested very deeply is refused.", deep),
        writes("json-numbers", "A write with what is no number in JSON is refused.", numbers),
        writes("json-strings", "A write with what is no string in JSON is refused.", strings),
        writes("json-duplicates", "A write with two members of one name is refused.", duplicates),
        writes("json-kinds", "A write with an aid, iid or pid of another type, or without them, is refused.", kinds),
        attack(
            "json-utf8",
            .pairedAttack,
            "A write with bytes that aren't UTF-8 is refused.",
            "RFC 8259, 8.1"
        ) { context in
            let subject = try await context.subject()
            let attacker = Attacker(context, as: try context.controller())
            let head = #"{"characteristics":[{"aid":\#(subject.id.aid),"iid":\#(subject.id.iid),"value":""#
            for bytes: [UInt8] in [[0xFF], [0xC3], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80]] {
                let body = Array(head.utf8) + bytes + Array(#""}]}"#.utf8)
                let answer = try await attacker.put("/characteristics", body)
                try context.expectRefused(answer, as: .http(.badRequest), "A string of \(bytes)")
            }
        },
        entries("json-values", "A value of another type, or far out of bounds, is refused and changes nothing.") {
            subject,
            _ in
            let others = [
                "null", "[]", "{}", #""1""#, #""true""#, #""""#, "18446744073709551616", "1e308", "-1e308", "0.5",
                "1e-5",
            ]
            return (others + (subject.characteristic.format == "bool" ? ["2", "-1"] : [])).map { #""value":\#($0)"# }
        },
        entries("json-members", "An entry with ev or authData of another type is refused and changes nothing.") {
            _,
            context in
            let value = try await context.attackValue()
            let members = [#""ev":"true""#, #""ev":2"#, #""ev":null"#, #""remote":true"#, #""status":0"#]
            guard context.options.requiresExactRefusals else { return Array(members.prefix(3)) }
            return members + [
                #""r":true"#, #""value":\#(value),"ev":[]"#, #""value":\#(value),"authData":"!""#,
                #""value":\#(value),"authData":1"#,
            ]
        },
        attack(
            "json-prepare",
            .pairedAttack,
            "A malformed PUT /prepare is refused, and prepares nothing.",
            "HAP 6.7 (Timed Writes)"
        ) { context in
            let subject = try await context.subject()
            let value = try await context.attackValue()
            let attacker = Attacker(context, as: try context.controller())
            for body in [
                "", "null", "[]", #"{"ttl":1}"#, #"{"pid":1}"#, #"{"ttl":-1,"pid":1}"#, #"{"ttl":1.5,"pid":1}"#,
                #"{"ttl":"1","pid":1}"#, #"{"ttl":1,"pid":-1}"#, #"{"ttl":1,"pid":18446744073709551616}"#,
                #"{"ttl":1,"pid":1e3}"#, #"{"ttl":1,"pid":1,"pid":2}"#, #"{"ttl":1,"pid":1}x"#,
            ] {
                let answer = try await attacker.put("/prepare", Array(body.utf8))
                try context.expectRefused(answer, as: .http(.badRequest), "PUT /prepare \(body)")
                let id = subject.id
                let write = #"{"characteristics":[{"aid":\#(id.aid),"iid":\#(id.iid),"value":\#(value)}],"pid":1}"#
                let late = try await attacker.put("/characteristics", Array(write.utf8))
                try context.expectRefused(late, as: .entry(id, .invalidValue), "A write after PUT /prepare \(body)")
            }
        },
        attack(
            "queries",
            .pairedAttack,
            "A read with a malformed query is answered, whatever the answer is, and the session goes on.",
            "HAP 6.7 (Reading Characteristics)"
        ) { context in
            let attacker = Attacker(context, as: try context.controller())
            for query in [
                "id=1", "id=1.", "id=.1", "id=1.2.3", "id=1.2,", "id=,1.2", "id=1.2,,1.3", "id=-1.2", "id=1.-2",
                "id=+1.2", "id=0x1.2", "id=1.18446744073709551616", "id=18446744073709551616.1", "id=a.b",
                "id=1.2;1.3", "id=1%2", "id=%ff.1", "id=1.2&id=1.3", "id=1.2&meta=2", "id=1.2&meta=",
                "id=1.2&perms=yes", "id=1.2&type=-1", "id=1.2&ev=x", "id=1.2&ev=1&ev=1", "id=1.2%00",
            ] {
                let answer = try await attacker.get("/characteristics?\(query)")
                if context.options.requiresExactRefusals {
                    try context.expectRefused(answer, as: .http(.badRequest), query)
                }
                guard case .response = answer else { throw CheckFailure("\(query): \(context.describe(answer))") }
                let next = try await attacker.get("/accessories")
                guard case .response(let response) = next, response.status == .ok else {
                    throw CheckFailure("GET /accessories after \(query): \(context.describe(next))")
                }
            }
        },
        attack(
            "many-ids",
            .pairedAttack,
            "A read of 9,000 characteristics is refused, or answered in the order of the request.",
            "HAP 6.7 (Reading Characteristics)"
        ) { context in
            let attacker = Attacker(context, as: try context.controller())
            let ids = (1...9_000).map { "1.\($0)" }.joined(separator: ",")
            let answer = try await attacker.get("/characteristics?id=\(ids)&meta=1&perms=1&type=1&ev=1")
            guard case .response(let response) = answer, response.status == .multiStatus else {
                return try context.expect(
                    answer.isRefusal && !context.options.requiresExactRefusals,
                    context.describe(answer)
                )
            }
            let iids = try context.entries(of: response).map(\.id.iid)
            try context.expect(iids == Array(1...9_000), "The answer has \(iids.count) entries, or another order.")
        },
    ]
}
