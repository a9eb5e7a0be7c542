internal import HAP
internal import HAPCatalog

extension Check {
    private static let discovery = "HAP 6.4 (Discovery, Table 6-7)"

    /// Returns the advertisement before pairing.
    private static func first(_ context: CheckContext) throws(CheckNotApplicable) -> AccessoryAdvertisement {
        guard let advertisement = context.firstAdvertisement else {
            throw CheckNotApplicable("The accessory's advertisement wasn't heard.")
        }
        return advertisement
    }

    /// Returns the advertisement once its status flags have the first bit as expected, or the newest one.
    private static func flags(
        _ context: CheckContext,
        areUnpaired: Bool
    ) async throws -> (text: String, isExpected: Bool) {
        guard let source = context.options.advertisements else {
            throw CheckNotApplicable("The accessory's advertisement wasn't heard.")
        }
        let test: @Sendable (AccessoryAdvertisement) -> Bool = { advertisement in
            guard let flags = advertisement.txt["sf"].flatMap({ Int($0) }) else { return false }
            return StatusFlags(rawValue: flags).contains(.notPaired) == areUnpaired
        }
        guard let advertisement = await source.current(test) else {
            throw CheckFailure("The accessory isn't advertised any more.")
        }
        return ("sf=\(PrintableText.excerpt(advertisement.txt["sf"] ?? "(none)"))", test(advertisement))
    }

    /// Returns a check of one key of the text record.
    private static func key(
        _ key: String,
        _ name: String,
        _ severity: Severity,
        _ requirement: String,
        _ isValid: @escaping @Sendable (String) -> Bool
    ) -> Check {
        Check("advertising.\(name)", severity, .unpaired, requirement, discovery) { context in
            guard let value = try first(context).txt[key] else { throw CheckFailure("The TXT record has no \(key).") }
            try context.expect(isValid(value), "\(key)=\(PrintableText.excerpt(value))")
        }
    }

    private static func isDecimal(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    static let advertising: [Check] = [
        key("id", "device-id", .must, "The TXT key id is six uppercase hexadecimal bytes with colons between them.") {
            $0.wholeMatch(of: /[0-9A-F]{2}(:[0-9A-F]{2}){5}/) != nil
        },
        key("c#", "configuration-number", .must, "The TXT key c# is a decimal number from 1 to 65535.") {
            isDecimal($0) && (1...HAPLimits.configurationNumber).contains(Int($0) ?? 0)
        },
        key("ci", "category", .must, "The TXT key ci is a decimal number of at least 1.") {
            isDecimal($0) && (Int($0) ?? 0) >= 1
        },
        key("ff", "feature-flags", .should, "The TXT key ff is a decimal number.") { isDecimal($0) },
        key("md", "model", .must, "The TXT key md is the model, 1 to 64 bytes.") {
            HAPLimits.modelLength.contains($0.utf8.count)
        },
        key("pv", "protocol-version", .must, "The TXT key pv is 1.0 or 1.1.") { ["1.0", "1.1"].contains($0) },
        key("s#", "state-number", .must, "The TXT key s# is 1.") { $0 == "1" },
        key("sf", "unpaired", .must, "The first bit of the TXT key sf is set while no controller is paired.") {
            Int($0).map { StatusFlags(rawValue: $0).contains(.notPaired) } ?? false
        },
        Check(
            "advertising.setup-hash",
            .should,
            .unpaired,
            "The TXT key sh, if there is one, is Base64 of four bytes.",
            discovery
        ) { context in
            guard let hash = try first(context).txt["sh"] else {
                throw CheckNotApplicable("The TXT record has no sh.")
            }
            try context.expect(Base64.decode(hash)?.count == 4, "sh=\(PrintableText.excerpt(hash))")
        },
        Check(
            "advertising.port",
            .must,
            .unpaired,
            "The SRV record has the port on which the accessory answers.",
            "RFC 6763, 5"
        ) { context in
            let port = try first(context).port
            try context.expect(port == context.target.port, "The SRV record has port \(port).")
        },
        Check(
            "advertising.identity",
            .must,
            .pairing,
            "The identifier in M6 of pair-setup is the TXT key id.",
            "HAP 5.6 (Pair Setup)"
        ) { context in
            let advertised = try first(context).txt["id"]
            guard let accessory = context.setup?.accessory else { throw CheckNotApplicable("Pairing failed.") }
            try context.expect(
                advertised.flatMap { DeviceID($0) } == accessory.deviceID,
                "id=\(PrintableText.excerpt(advertised ?? "(none)")), but M6 has \(accessory.deviceID)"
            )
        },
        Check(
            "advertising.paired",
            .must,
            .pairing,
            "The first bit of the TXT key sf is cleared as soon as a controller is paired.",
            discovery
        ) { context in
            let flags = try await flags(context, areUnpaired: false)
            try context.expect(flags.isExpected, "Still \(flags.text) after pairing")
        },
        Check(
            "advertising.goodbye",
            .should,
            .restart,
            "An accessory that is stopped withdraws its advertisement with a goodbye.",
            "RFC 6762, 10.1"
        ) { context in
            guard context.options.stop != nil else {
                throw CheckNotApplicable("No command to stop the accessory was given (--stop).")
            }
            _ = try first(context)
            _ = try await context.restarted()
            try context.expect(context.saidGoodbye == true, "The accessory was stopped, and is still advertised.")
        },
        Check(
            "advertising.configuration-number-stable",
            .must,
            .removed,
            "Pairing, reading and writing don't change the TXT key c#.",
            discovery
        ) { context in
            let before = try first(context).txt["c#"]
            let after = await context.options.advertisements?.current { _ in true }?.txt["c#"]
            try context.expect(
                before == after,
                "c# was \(PrintableText.excerpt(before ?? "absent")), then \(PrintableText.excerpt(after ?? "absent"))"
            )
        },
        Check(
            "advertising.removed",
            .must,
            .removed,
            "The first bit of the TXT key sf is set again once the last admin is removed.",
            discovery
        ) { context in
            let flags = try await flags(context, areUnpaired: true)
            try context.expect(flags.isExpected, "Still \(flags.text) after the pairing was removed")
        },
    ]
}
