import HAP

/// The server's end of a connection of the Wyoming protocol, which voice satellites and Home Assistant speak.
///
/// It does no I/O: ``receive(_:)`` turns bytes into steps, to be taken in order, and the answer to a sentence becomes the
/// bytes of an event. Events of other kinds, such as audio, are ignored, as the protocol requires.
package struct WyomingSession: Sendable {
    /// A sentence that a client sent.
    package struct Sentence: Hashable, Sendable {
        /// The purpose of a sentence, which determines the types of its answers.
        enum Purpose: Hashable, Sendable {
            case handling
            case recognition
        }

        /// The sentence.
        package var text: String
        /// The language's tag; `nil` if the client didn't name one.
        package var language: String?
        /// The client's ID of the conversation to which the sentence belongs, if it named one.
        package var conversation: String?
        /// Whether to say only what the sentence means. Nothing is done then.
        package var isDryRun: Bool { purpose == .recognition }
        var purpose: Purpose
    }

    /// The answer to a sentence.
    package struct Answer: Hashable, Sendable {
        /// Whether the sentence was understood and not everything that it asks for failed. A question is an answer too.
        package var isHandled: Bool
        /// The text to be spoken.
        package var text: String
        /// A name for the kind of request, such as `write`, for clients that ask for recognition.
        package var intent: String

        /// Creates an answer.
        package init(isHandled: Bool, text: String, intent: String = "") {
            self.isHandled = isHandled
            self.text = text
            self.intent = intent
        }
    }

    /// A step to take.
    package enum Step: Hashable, Sendable {
        /// Send bytes.
        case send([UInt8])
        /// Carry out a sentence, and send the bytes that ``WyomingSession/bytes(for:to:)`` makes of the answer.
        case say(Sentence)
        /// Close the connection.
        case close
    }

    /// The beginning of the names of recognized intents.
    private static let intentPrefix = "hearth."
    private static let (sentenceEntity, languageEntity) = ("sentence", "language")

    private let program: WyomingProgram
    private var reader: WyomingReader

    /// Creates the end of a new connection.
    package init(_ program: WyomingProgram, limits: WyomingLimits = WyomingLimits()) {
        self.program = program
        reader = WyomingReader(limits: limits)
    }

    /// Consumes bytes that the client sent.
    package mutating func receive(_ bytes: [UInt8]) -> [Step] {
        let (events, error) = reader.decode(bytes)
        let steps = events.compactMap(step)
        guard let error else { return steps }
        let report = WyomingEvent.bytes(type: "error") { writer in
            writer.member("text", error.reason)
            writer.member("code", error.code)
        }
        return steps + [.send(report), .close]
    }

    private func step(_ event: WyomingEvent) -> Step? {
        switch event.type {
        case "describe":
            return .send(WyomingEvent.bytes(type: "info", data: describe))
        case "ping":
            return .send(
                WyomingEvent.bytes(type: "pong") { writer in
                    event["text"]?.string.map { writer.member("text", $0) }
                }
            )
        case "transcript":
            return say(event["text"]?.string, event["language"]?.string, event, .handling)
        case "recognize":
            return say(event["text"]?.string, event["language"]?.string, event, .recognition)
        case "intent":
            guard event["name"]?.string?.hasPrefix(Self.intentPrefix) == true else {
                return .send(Self.answer("not-handled", "The intent isn't one that this server recognized."))
            }
            let entities = (event["entities"]?.array ?? []).compactMap(\.object)
            func value(_ name: String) -> String? {
                entities.first { $0["name"]?.string == name }?["value"]?.string
            }
            return say(value(Self.sentenceEntity), value(Self.languageEntity), event, .handling)
        default:
            return nil
        }
    }

    private func say(
        _ text: String?,
        _ language: String?,
        _ event: WyomingEvent,
        _ purpose: Sentence.Purpose
    ) -> Step {
        guard let text else {
            let type = purpose == .handling ? "not-handled" : "not-recognized"
            return .send(Self.answer(type, "The event has no text."))
        }
        let conversation = event["context"]?.object?["conversation_id"]?.string
        return .say(Sentence(text: text, language: language, conversation: conversation, purpose: purpose))
    }

    // MARK: Sending

    /// Returns the event that answers a sentence.
    package func bytes(for answer: Answer, to sentence: Sentence) -> [UInt8] {
        switch sentence.purpose {
        case .handling:
            return Self.answer(answer.isHandled ? "handled" : "not-handled", answer.text)
        case .recognition:
            guard answer.isHandled else { return Self.answer("not-recognized", answer.text) }
            return WyomingEvent.bytes(type: "intent") { writer in
                writer.member("name", Self.intentPrefix + answer.intent)
                writer.member("text", answer.text)
                writer.key("entities")
                writer.array { writer in
                    let entities = [(Self.sentenceEntity, sentence.text), (Self.languageEntity, sentence.language)]
                    for case (let name, let value?) in entities {
                        writer.object { writer in
                            writer.member("name", name)
                            writer.member("value", value)
                        }
                    }
                }
            }
        }
    }

    private static func answer(_ type: String, _ text: String) -> [UInt8] {
        WyomingEvent.bytes(type: type) { $0.member("text", text) }
    }

    private func describe(_ writer: inout JSONWriter) {
        for kind in ["asr", "tts", "wake", "mic", "snd"] {
            writer.key(kind)
            writer.array { _ in }
        }
        for kind in ["handle", "intent"] {
            writer.key(kind)
            writer.array { writer in
                writer.object { writer in
                    describeArtifact(&writer)
                    if kind == "handle" {
                        writer.member("supports_handled_streaming", false)
                        writer.member("supports_home_control", true)
                    }
                    writer.key("models")
                    writer.array { writer in
                        writer.object { writer in
                            describeArtifact(&writer)
                            writer.key("languages")
                            writer.array { writer in
                                for language in program.languages { writer.write(language) }
                            }
                        }
                    }
                }
            }
        }
    }

    private func describeArtifact(_ writer: inout JSONWriter) {
        writer.member("name", program.name)
        writer.member("description", program.description)
        writer.member("version", program.version)
        writer.member("installed", true)
        writer.key("attribution")
        writer.object { writer in
            writer.member("name", program.name)
            writer.member("url", program.url)
        }
    }
}
