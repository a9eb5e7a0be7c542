import HAP
import Testing

@Suite struct SetupPayloadTests {
    @Test(arguments: HAPVectors.all.setup_payload.cases)
    func payloadsAreThoseOfTheVector(_ vector: HAPVectors.SetupPayloadCase) throws {
        var transports: SetupPayload.Transports = []
        if vector.ip { transports.insert(.ip) }
        if vector.ble { transports.insert(.bluetoothLE) }
        let payload = SetupPayload(
            category: vector.category,
            transports: transports,
            isPaired: vector.paired,
            setupCode: try vector.code.map { try SetupCode($0) },
            setupID: try vector.setup_id.map { try #require(SetupID($0)) }
        )
        #expect(payload.uri == vector.uri)
        #expect(try SetupPayload(vector.uri) == payload)
        #expect(try SetupPayload(vector.uri.lowercased()) == payload)
    }

    @Test(arguments: [
        ("", SetupPayloadError.wrongScheme),
        ("X-HM:/0071WK4SM7OSX", .wrongScheme),
        ("X-HM://", .wrongForm),
        ("X-HM://0071WK4SM7OS", .wrongForm),
        ("X-HM://0071WK4SM7OSXX", .wrongForm),
        ("X-HM://0071WK4S-7OSX", .wrongForm),
        ("X-HM://+071WK4SM7OSX", .wrongForm),
        ("X-HM://-071WK4SM7OSX", .wrongForm),
        ("X-HM://0071WK4SM7OS ", .wrongForm),
        ("X-HM://0071WK4SÄ7OSX", .wrongForm),
        ("X-HM://0071WK4SM7Oß", .wrongForm),
        ("X-HM://ZZZZZZZZZ7OSX", .wrongForm),
    ])
    func otherTextsAreRefused(_ text: String, _ error: SetupPayloadError) {
        #expect(throws: error) { try SetupPayload(text) }
    }

    @Test func everyBitIsJudged() throws {
        func text(_ number: UInt64) -> String {
            let digits = String(number, radix: 36, uppercase: true)
            return "X-HM://" + String(repeating: "0", count: 9 - digits.count) + digits + "ABCD"
        }
        #expect(try SetupPayload(text(12_345_679)).setupCode?.dashed == "123-45-679")
        #expect(throws: SetupPayloadError.invalidCode(.forbidden)) { try SetupPayload(text(12_345_678)) }
        #expect(throws: SetupPayloadError.invalidCode(.wrongForm)) { try SetupPayload(text(100_000_000)) }
        #expect(try SetupPayload(text(1 << 27 | 1)).isPaired)
        #expect(try SetupPayload(text(1 << 28 | 1)).transports == .ip)
        #expect(try SetupPayload(text(1 << 29 | 1)).transports == .bluetoothLE)
        // Reserved bits are ignored.
        for bit in [30, 39, 40, 41, 42] as [UInt64] {
            #expect(try SetupPayload(text(1 << bit | 1)).category == 0)
        }
        #expect(try SetupPayload(text(0xFF << 31 | 1)).category == 255)
        #expect(throws: SetupPayloadError.unsupportedVersion) { try SetupPayload(text(1 << 43 | 1)) }
        #expect(throws: SetupPayloadError.unsupportedVersion) { try SetupPayload(text(1 << 45 | 1)) }
        #expect(throws: SetupPayloadError.wrongForm) { try SetupPayload(text(1 << 46 | 1)) }
    }

    @Test(arguments: HAPVectors.all.setup_hash.cases)
    func hashesAreThoseOfTheVector(_ vector: HAPVectors.SetupHashCase) throws {
        let hash = SetupHash(
            setupID: try #require(SetupID(vector.setup_id)),
            deviceID: try #require(DeviceID(vector.device_id))
        )
        #expect(hash.bytes == vector.hash.bytes)
        #expect(hash.textValue == vector.sh)
    }

    @Test(arguments: ["", "ABC", "ABCDE", "abcd", "AB D", "AB-D", "ÄBC"])
    func otherSetupIDsAreRefused(_ text: String) {
        #expect(SetupID(text) == nil)
    }

    @Test func randomSetupIDsAreReadAgain() {
        for _ in 0..<50 {
            let id = SetupID.random()
            #expect(SetupID(id.description) == id)
        }
    }
}
