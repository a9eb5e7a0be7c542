import Foundation
import HAPCatalog
import HubAPI
import Testing

/// What the sentence of an error names, as data.
struct ErrorPartsTests {
    private static let kitchen = UUID()

    private static var nameTaken: HubError {
        var parts = ErrorParts(.init(kind: "room", id: kitchen, name: "Kitchen"))
        parts.name = "Kitchen"
        return HubError(.init(rawValue: "nameTaken"), "It is taken.", parts: parts)
    }

    private static func error(in line: Data) throws -> HubError? {
        guard case .reply(_, let reply)? = try WireMessage.message(from: line), case .failure(let error) = reply.result
        else { return nil }
        return error
    }

    @Test func aReplyCarriesWhatItsErrorNames() throws {
        let line = WireMessage.line(replyTo: 4, .failure(Self.nameTaken))
        let data = #"""
            "data":{"code":"nameTaken","name":"Kitchen","subjects":[{"id":"\#(Self.kitchen)","kind":"room","name":"Kitchen"}]}}}
            """#
        #expect(String(decoding: line, as: UTF8.self).hasSuffix(data + "\n"))
        #expect(try Self.error(in: line.dropLast()) == Self.nameTaken)
    }

    @Test func anOutcomeCarriesWhatItsErrorNames() throws {
        var error = Self.nameTaken
        error.trouble = .blocked
        let outcome = CharacteristicResults.Outcome(
            characteristic: CharacteristicReference(accessory: Self.kitchen, iid: 10),
            error: error
        )
        let json = try JSONEncoder().encode(outcome)
        #expect(try JSONDecoder().decode(CharacteristicResults.Outcome.self, from: json) == outcome)
    }

    @Test(arguments: [#""subjects":"many""#, #""limit":"as many as fit""#, #""subjects":[{"name":1}]"#])
    func partsInAnotherFormAreLeftOut(member: String) throws {
        let data = #"{"code":"limitExceeded","trouble":"busy",\#(member)}"#
        let line = Data(#"{"jsonrpc":"2.0","id":4,"error":{"code":-32000,"message":"Full.","data":\#(data)}}"#.utf8)
        let error = HubError(.init(rawValue: "limitExceeded"), "Full.", trouble: .busy)
        #expect(try Self.error(in: line) == error)
        let outcome = Data(#"{"code":"limitExceeded","reason":"Full.","trouble":"busy","data":\#(data)}"#.utf8)
        #expect(try JSONDecoder().decode(HubError.self, from: outcome) == error)
    }

    @Test func aNumberThatJSONCannotExpressDoesNotHideTheError() throws {
        var error = Self.nameTaken
        error.parts?.value = .infinity
        let line = WireMessage.line(replyTo: 4, .failure(error)).dropLast()
        error.parts = nil
        #expect(try Self.error(in: line) == error)
    }
}
