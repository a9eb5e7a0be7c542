import HAP
import Testing

@testable import Wyoming

/// What a connection does with the events of a client.
struct WyomingSessionTests {
    private static let program = WyomingProgram(
        name: "Test",
        description: "A test.",
        version: "1",
        url: "https://example.com",
        languages: ["en", "de"]
    )

    /// Returns the steps after a client's text.
    private func steps(_ text: String) -> [WyomingSession.Step] {
        var session = WyomingSession(Self.program)
        return session.receive(Array(text.utf8))
    }

    /// Returns the events that steps send, as a client reads them.
    private func sent(_ steps: [WyomingSession.Step]) -> [WyomingEvent] {
        steps.flatMap { step -> [WyomingEvent] in
            guard case .send(let bytes) = step else { return [] }
            var reader = WyomingReader()
            return reader.decode(bytes).events
        }
    }

    @Test func aTranscriptIsCarriedOut() {
        let steps = steps(
            #"{"type":"transcript","data":{"text":"lamp on","language":"de","context":{"conversation_id":"c1"}}}"#
                + "\n"
        )
        guard case .say(let sentence) = steps.first, steps.count == 1 else {
            Issue.record("\(steps)")
            return
        }
        #expect(sentence.text == "lamp on")
        #expect(sentence.language == "de")
        #expect(sentence.conversation == "c1")
        #expect(!sentence.isDryRun)
        let session = WyomingSession(Self.program)
        let handled = sent([.send(session.bytes(for: .init(isHandled: true, text: "It’s on.\n"), to: sentence))])
        #expect(handled.map(\.type) == ["handled"])
        #expect(handled[0]["text"]?.string == "It’s on.\n")
        let failed = sent([.send(session.bytes(for: .init(isHandled: false, text: "No."), to: sentence))])
        #expect(failed.map(\.type) == ["not-handled"])
    }

    @Test func whatIsToBeRecognizedIsNotDone() {
        let steps = steps(#"{"type":"recognize","data":{"text":"lamp on"}}"# + "\n")
        guard case .say(let sentence) = steps.first else {
            Issue.record("\(steps)")
            return
        }
        #expect(sentence.isDryRun)
        let session = WyomingSession(Self.program)
        let bytes = session.bytes(for: .init(isHandled: true, text: "It’s on.", intent: "write"), to: sentence)
        let intent = sent([.send(bytes)])
        #expect(intent.map(\.type) == ["intent"])
        #expect(intent[0]["name"]?.string == "hearth.write")
        // The intent that was recognized is carried out as the sentence.
        let again = self.steps(String(decoding: bytes, as: UTF8.self))
        guard case .say(let handled) = again.first else {
            Issue.record("\(again)")
            return
        }
        #expect(handled.text == "lamp on")
        #expect(!handled.isDryRun)
        let unknown = sent([.send(session.bytes(for: .init(isHandled: false, text: "No."), to: sentence))])
        #expect(unknown.map(\.type) == ["not-recognized"])
    }

    @Test func eventsWithoutTextDoNothing() {
        let types = sent(
            steps(
                #"{"type":"transcript"}"# + "\n" + #"{"type":"recognize","data":{"text":null}}"# + "\n"
                    + #"{"type":"intent","data":{"name":"HassTurnOn"}}"# + "\n"
                    + #"{"type":"intent","data":{"name":"hearth.write","entities":[1,{"name":"sentence","value":2}]}}"#
                    + "\n"
            )
        ).map(\.type)
        #expect(types == ["not-handled", "not-recognized", "not-handled", "not-handled"])
    }

    @Test func theServerDescribesItselfAndAnswersPings() {
        let events = sent(steps(#"{"type":"describe"}"# + "\n" + #"{"type":"ping","data":{"text":"x"}}"# + "\n"))
        #expect(events.map(\.type) == ["info", "pong"])
        let model = events[0]["handle"]?.array?.first?.object?["models"]?.array?.first?.object
        #expect(model?["languages"] == .array([.string("en"), .string("de")]))
        #expect(events[0]["intent"]?.array?.count == 1)
        #expect(events[1]["text"]?.string == "x")
    }

    @Test func otherEventsAreIgnored() {
        #expect(
            steps(#"{"type":"audio-start","data":{"rate":16000}}"# + "\n" + #"{"type":"unheard-of"}"# + "\n").isEmpty
        )
    }

    @Test func bytesThatAreNoEventsEndTheConnection() {
        let steps = steps(
            #"{"type":"ping"}"# + "\nGET / HTTP/1.1\r\n\r\n" + #"{"type":"transcript","data":{"text":"x"}}"# + "\n"
        )
        #expect(sent(steps).map(\.type) == ["pong", "error"])
        #expect(steps.last == .close)
        #expect(steps.count == 3)
    }
}
