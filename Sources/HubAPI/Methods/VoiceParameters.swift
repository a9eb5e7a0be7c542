package import Foundation
package import HAPCatalog

/// A sentence that somebody says to the home.
package struct Say: Hashable, Sendable, Codable {
    /// The sentence.
    package var text: String
    /// The language's tag, such as `en` or `zh-Hant`.
    package var language: String
    /// The home; `nil` for the one that the sentence names, or else the primary home.
    package var home: UUID?
    /// The room where it is said, which comes first if the sentence names no place; `nil` if that is unknown.
    package var room: UUID?
    /// Whether to return only what the sentence means. Nothing is done and nobody is asked; `nil` for `false`.
    package var isDryRun: Bool?
    /// A text of the client's, at most ``SetUpAccessories/referenceLength`` characters. The questions about the sentence
    /// carry it as their ``Question/reference``.
    package var reference: String?

    /// Creates a sentence.
    package init(
        _ text: String,
        language: String,
        home: UUID? = nil,
        room: UUID? = nil,
        isDryRun: Bool? = nil,
        reference: String? = nil
    ) {
        self.text = text
        self.language = language
        self.home = home
        self.room = room
        self.isDryRun = isDryRun
        self.reference = reference
    }
}

/// What a sentence meant, and what became of it.
package struct Said: Hashable, Sendable, Codable {
    /// What became of a sentence. Unknown values are preserved.
    package struct Outcome: Hashable, Sendable, Codable, RawRepresentable {
        /// The outcome's name.
        package var rawValue: String

        /// Creates a value from its name.
        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Everything that was asked for was done, or would be in a dry run.
        package static let done = Outcome(rawValue: "done")
        /// Some of it failed.
        package static let partlyDone = Outcome(rawValue: "partlyDone")
        /// All of it failed.
        package static let failed = Outcome(rawValue: "failed")
        /// A question was answered.
        package static let answered = Outcome(rawValue: "answered")
        /// Nobody agreed to it, or chose what was meant. In a dry run: somebody would have to.
        package static let unconfirmed = Outcome(rawValue: "unconfirmed")
        /// The sentence was not understood, or the home can't do that. Nothing was done.
        package static let notUnderstood = Outcome(rawValue: "notUnderstood")
    }

    /// One thing that the sentence asked for.
    package struct Request: Hashable, Sendable, Codable {
        /// The values to write.
        package var writes: [Value]?
        /// The characteristics that a question is about, with their values.
        package var reads: [Value]?
        /// The scenes to run.
        package var scenes: [UUID]?
        /// When to do it; `nil` for now.
        package var date: Date?

        /// Creates a request.
        package init(writes: [Value]? = nil, reads: [Value]? = nil, scenes: [UUID]? = nil, date: Date? = nil) {
            self.writes = writes
            self.reads = reads
            self.scenes = scenes
            self.date = date
        }
    }

    /// A characteristic and a value.
    package struct Value: Hashable, Sendable, Codable {
        /// The characteristic.
        package var characteristic: CharacteristicReference
        /// The value; `nil` if it isn't known.
        package var value: CharacteristicValue?

        /// Creates a value.
        package init(_ characteristic: CharacteristicReference, _ value: CharacteristicValue?) {
            self.characteristic = characteristic
            self.value = value
        }
    }

    /// What became of it.
    package var outcome: Outcome
    /// An answer for the speaker, in the sentence's language.
    package var answer: String
    /// The home that the sentence is about.
    package var home: UUID
    /// What it asked for, in order; empty if it was not understood.
    package var requests: [Request]

    /// Creates a result.
    package init(_ outcome: Outcome, answer: String, home: UUID, requests: [Request] = []) {
        self.outcome = outcome
        self.answer = answer
        self.home = home
        self.requests = requests
    }
}

/// Asks for sentences that a home understands.
package struct VoiceExamplesQuery: Hashable, Sendable, Codable {
    /// The home.
    package var home: UUID
    /// The language's tag.
    package var language: String
    /// The accessory or the scene that the sentences are about; `nil` for the whole home.
    package var about: UUID?

    /// Creates a query.
    package init(home: UUID, language: String, about: UUID? = nil) {
        self.home = home
        self.language = language
        self.about = about
    }
}

/// Sentences that a home understands, with its own names.
package struct VoiceExamples: Hashable, Sendable, Codable {
    /// The sentences.
    package var sentences: [String]

    /// Creates examples.
    package init(sentences: [String]) {
        self.sentences = sentences
    }
}

/// Asks for a home's sentences as a grammar.
package struct VoiceGrammarQuery: Hashable, Sendable, Codable {
    /// The home.
    package var home: UUID
    /// The language's tag.
    package var language: String

    /// Creates a query.
    package init(home: UUID, language: String) {
        self.home = home
        self.language = language
    }
}

/// The sentences that a home understands, for speech recognizers.
package struct VoiceGrammar: Hashable, Sendable, Codable {
    /// The grammar in JSGF 1.0.
    package var grammar: String

    /// Creates a grammar.
    package init(grammar: String) {
        self.grammar = grammar
    }
}
