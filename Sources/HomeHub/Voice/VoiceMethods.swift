import Foundation
import HomeModel
import HubAPI
import Voice

/// The methods that understand sentences and carry them out.
///
/// A sentence is carried out as its speaker's own request would be: by the same services and with the same rights. Its
/// writes refer to the sentence in the journal.
struct VoiceMethods: HubPart {
    let database: HomeDatabase
    let live: LiveState
    let writer: CharacteristicWriter
    let actionSets: ActionSetRunner
    let questions: QuestionManager
    let activities: ActivityStream
    let assistants: AssistantGuard
    let timeZone: TimeZone
    let listeners = HomeListeners()

    func register(in router: inout MethodRouter) {
        router.on(HubMethods.say) { (parameters, session) async throws(HubError) in
            let sentence = try await sentence(parameters, by: session)
            if parameters.isDryRun == true { return .done(sentence.preview(at: database.now(), in: timeZone)) }
            return .deferred { [self] in await SentenceRun(sentence, by: session, of: self).result() }
        }
        router.on(HubMethods.voiceExamples) { (parameters, session) async throws(HubError) in
            let language = try Self.language(parameters.language)
            let heard = try await heard(parameters.home, by: session)
            let listener = listeners.listener(for: heard, of: parameters.home, language)
            return .done(VoiceExamples(sentences: listener.examples(about: parameters.about?.uuidString)))
        }
        router.on(HubMethods.voiceGrammar) { (parameters, session) async throws(HubError) in
            let language = try Self.language(parameters.language)
            let heard = try await heard(parameters.home, by: session)
            let listener = listeners.listener(for: heard, of: parameters.home, language)
            return .deferred { VoiceGrammar(grammar: listener.grammar()) }
        }
    }

    /// Returns the home as sentences see it, with its present values.
    func heard(_ id: UUID, by session: HubSession) async throws(HubError) -> HeardHome {
        let (home, cursor, name) = try await database.namedHome(id, for: session.user)
        return listeners.heard(home, at: cursor, named: name) { live.value(of: $0, in: id) }
    }

    /// Returns a sentence with its meaning in the given home, or in the primary home, or in the home that it names.
    private func sentence(_ parameters: Say, by session: HubSession) async throws(HubError) -> SpokenSentence {
        let language = try Self.language(parameters.language)
        var parameters = parameters
        parameters.text = try Self.sentence(parameters.text)
        let limit = SetUpAccessories.referenceLength
        guard (parameters.reference?.unicodeScalars.count ?? 0) <= limit else {
            throw HubError(HomeError(.invalidParameter, "A reference has at most \(limit) characters."))
        }
        let homes = await database.homes(of: session.user)
        let first = parameters.home ?? homes.first { $0.isPrimary }?.id ?? homes.first?.id
        guard let first else { throw HubError(HomeError(.notFound, "There is no home. Add one first.")) }
        let sentence = try await sentence(parameters.text, parameters, in: first, language, session)
        guard case .nothing = sentence.meaning, parameters.home == nil, homes.count > 1 else { return sentence }
        let others = homes.filter { $0.id != first }.map { (id: $0.id.uuidString, name: $0.name) }
        guard let named = HomeListener.home(namedIn: parameters.text, among: others, language),
            let other = UUID(uuidString: named.id)
        else { return sentence }
        return try await self.sentence(named.sentence, parameters, in: other, language, session)
    }

    private func sentence(
        _ text: String,
        _ parameters: Say,
        in id: UUID,
        _ language: Language,
        _ session: HubSession
    ) async throws(HubError) -> SpokenSentence {
        let heard = try await heard(id, by: session)
        return SpokenSentence(
            text: parameters.text,
            words: text,
            room: parameters.room?.uuidString,
            minute: minutes(of: database.now()),
            home: id,
            heard: heard,
            listener: listeners.listener(for: heard, of: id, language),
            reference: parameters.reference
        )
    }

    /// Returns a sentence without white space at its ends.
    ///
    /// - Throws: `invalidParameter` if it has control characters. A line end, for example, may hide a second sentence that
    ///   somebody else wrote.
    private static func sentence(_ text: String) throws(HubError) -> String {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        let isOneLine = text.unicodeScalars.allSatisfy { scalar in
            ![.control, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
        }
        guard isOneLine else {
            let reason = "The sentence has line ends or other control characters. Say one sentence at a time."
            throw HubError(HomeError(.invalidParameter, reason))
        }
        return text
    }

    private static func language(_ tag: String) throws(HubError) -> Language {
        guard let language = Language.named(tag) else {
            let known = Language.codes.joined(separator: ", ")
            throw HubError(
                HomeError(.invalidParameter, "“\(tag.prefix(40))” is no language that the hub understands: \(known).")
            )
        }
        return language
    }

    private func minutes(of date: Date) -> Int {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        let parts = calendar.dateComponents([.hour, .minute], from: date)
        return (parts.hour ?? 0) * 60 + (parts.minute ?? 0)
    }
}
