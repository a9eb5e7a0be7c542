import HomeIdentity
import Testing

@Suite struct CrockfordBase32Tests {
    @Test(arguments: 0...20)
    func bytesSurviveTheirText(count: Int) {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: 37 &* $0 &+ 200) }
        #expect(CrockfordBase32.decode(CrockfordBase32.encode(bytes)) == bytes)
    }

    /// RFC 4648's vectors, with Crockford's characters for the same values.
    @Test(arguments: [("f", "CR"), ("fo", "CSQG"), ("foo", "CSQPY"), ("foob", "CSQPYRG"), ("foobar", "CSQPYRK1E8")])
    func knownTextsAreEncoded(text: String, encoded: String) {
        #expect(CrockfordBase32.encode(Array(text.utf8)) == encoded)
        #expect(CrockfordBase32.decode(encoded) == Array(text.utf8))
    }

    @Test(arguments: ["C", "CS1", "CSQ", "CT", "C!", "cr", "CR "])
    func textsThatNoBytesHaveAreRefused(text: String) {
        #expect(CrockfordBase32.decode(text) == nil)
    }

    @Test func typedTextIsNormalized() {
        #expect(CrockfordBase32.normalized("abcd-0o il") == "ABCD0011")
    }
}
