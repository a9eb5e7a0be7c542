/// What a sentence means in a home.
package enum Interpretation: Hashable, Sendable {
    case requests([Request])
    case question(Clarification)
    case nothing(Misunderstanding)
}

/// One thing that a sentence asks for.
package enum Request: Hashable, Sendable {
    /// Values to write, now or at a time. With `confirmation`, somebody must agree first.
    case write([SpokenWrite], at: SpokenTime?, confirmation: Confirmation?)
    case run(scenes: [String], at: SpokenTime?)
    case read([SpokenRead], answer: SpokenAnswer?)

    /// Whether nothing is done but answering.
    package var isRead: Bool {
        if case .read = self { true } else { false }
    }
}

package struct SpokenWrite: Hashable, Sendable {
    package var service: String
    package var trait: SpokenTrait
    /// The absolute value. Of a change ("brighter") it is computed from the value that the home has now.
    package var value: Double
    /// The change that was said, for an answer in words.
    package var change: Double?

    package init(service: String, trait: SpokenTrait, value: Double, change: Double? = nil) {
        self.service = service
        self.trait = trait
        self.value = value
        self.change = change
    }
}

package struct SpokenRead: Hashable, Sendable {
    package var service: String
    package var trait: SpokenTrait

    package init(service: String, trait: SpokenTrait) {
        self.service = service
        self.trait = trait
    }
}

package enum SpokenAnswer: Hashable, Sendable {
    case yesNo(Bool)
    case count(Int)
    case services([String])
}

package enum SpokenTime: Hashable, Sendable {
    /// The next such time of day, or that of tomorrow.
    case at(hour: Int, minute: Int, isTomorrow: Bool = false)
    case after(seconds: Int)
}

/// Why somebody must agree before a request is carried out.
package enum Confirmation: Hashable, Sendable {
    /// It opens or unlocks something that keeps people or water out.
    case opens
    /// It reaches very many services.
    case many(Int)
}

/// A question back to the speaker: which of several objects is meant.
package struct Clarification: Hashable, Sendable {
    /// An object that may be meant.
    package struct Candidate: Hashable, Sendable {
        /// The ID of the service or the room, to interpret the sentence again with it chosen.
        package var id: String
        /// Its name, with its room's name if another candidate has the same one.
        package var name: String
    }

    /// The objects, at least two.
    package var candidates: [Candidate]
}

/// Why a sentence does nothing.
package enum Misunderstanding: Hashable, Sendable {
    case empty
    case tooLong(limit: Int)
    case unknownLanguage(String)
    /// These words are in no vocabulary; `near` are names of the home that come close.
    case unknownWords([String], near: [String])
    /// The words are known, but make no command.
    case noCommand
    /// Nothing in the home is what was said.
    case noSuchTarget(String)
    case outOfRange(SpokenTrait, value: Double, limits: ClosedRange<Double>)
    /// What was asked for depends on a value of the service that isn't known.
    case unknownValue(String)
    /// The services that were named can't do that.
    case notPossible(String)
}
