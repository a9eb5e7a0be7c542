import ArgumentParser
import Foundation
import HomeModel
import HubAPI
import Voice

/// `hearth say`: says sentences to the home.
struct SayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "say",
        abstract: "Say a sentence to the home.",
        usage: """
            hearth say [<sentence>] [--language <tag>] [--room <room>] [--dry-run] [<options>]
            hearth say --grammar [--language <tag>] [<options>]
            hearth say --homes <homes.jsonl> <sentences.jsonl> ...
            """,
        discussion: """
            The hub understands the sentence with the home's own names, does what it asks for and answers. Without a \
            sentence, the command reads one line after another. What opens or unlocks something is asked first.

            With --grammar, the command prints sentences that the home understands as a grammar in JSGF, for speech recognizers.

            With --homes, the command prints what the sentences of files mean, without a hub and without doing anything.

            Examples:
              hearth say "turn off the lights upstairs"
              hearth say --language de "mach das Licht in der Küche an"
            """
    )
    @OptionGroup var options: ClientOptions
    @Option(help: ArgumentHelp("The language's tag.", valueName: "tag")) var language: String?
    @Option(help: "The room where you are.") var room: String?
    @Flag(help: "Only say what would be done.") var dryRun = false
    @Flag(help: "Print the home's sentences as a grammar in JSGF.") var grammar = false
    @Option(help: ArgumentHelp("A file of homes, for sentences of files.", valueName: "homes.jsonl"))
    var homes: String?
    @Argument(help: "The sentence, or files of sentences.") var sentences: [String] = []

    func validate() throws {
        guard grammar else { return }
        if homes != nil || dryRun || room != nil || !sentences.isEmpty {
            throw ValidationError("--grammar takes no sentence, --room, --dry-run or --homes.")
        }
    }

    func run() async throws {
        if let homes { return try understand(homes) }
        let client = try await HomeClient(options)
        if grammar { return try await printGrammar(client) }
        let home = try (options.home ?? room).map { _ in try client.home() }
        let conversation = Conversation(
            client: client,
            options: options,
            language: language ?? Self.systemLanguage,
            home: options.home == nil ? nil : home?.home.id,
            room: try room.flatMap { try home?.room($0) },
            isDryRun: dryRun
        )
        try await conversation.answeringQuestions {
            if sentences.isEmpty { return try await conversation.run() }
            try await conversation.say(sentences.joined(separator: " "))
        }
    }

    /// The language of the environment, if the hub understands it.
    private static var systemLanguage: String {
        let environment = ProcessInfo.processInfo.environment
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
        let tag = String(locale.prefix { $0 != "." && $0 != "@" }).replacing("_", with: "-")
        return Language.named(tag) == nil ? "en" : tag
    }

    /// The grammar in JSON.
    private struct GrammarRow: Encodable {
        var home: String
        var language: String
        var grammar: String
    }

    private func printGrammar(_ client: HomeClient) async throws {
        let home = try client.home()
        let language = language ?? Self.systemLanguage
        let query = VoiceGrammarQuery(home: home.home.id, language: language)
        let text = try await client.call(HubMethods.voiceGrammar, query).grammar
        if options.json {
            JSONLine(GrammarRow(home: home.name, language: language, grammar: text)).print()
        } else {
            // The text ends with a line end.
            ProgramOutput.line(String(text.dropLast()))
        }
    }

    // MARK: Files

    private func understand(_ file: String) throws {
        var homes: [String: SpokenHome] = [:]
        for line in try lines(of: file) {
            let home = try decode(SpokenHomeLine.self, line, file)
            homes[home.id] = home.home
        }
        var listeners: [String: HomeListener] = [:]
        for file in sentences {
            for line in try lines(of: file) {
                let sentence = try decode(SentenceLine.self, line, file)
                let key = "\(sentence.home) \(sentence.lang)"
                if listeners[key] == nil, let home = homes[sentence.home], let language = Language.named(sentence.lang)
                {
                    listeners[key] = HomeListener(home: home, language: language)
                }
                guard let listener = listeners[key] else {
                    JSONLine(InterpretationLine(id: sentence.id, .nothing(.unknownLanguage(sentence.lang)), ms: 0))
                        .print()
                    continue
                }
                var interpretation = Interpretation.nothing(.empty)
                let duration = ContinuousClock().measure {
                    interpretation = listener.interpret(sentence.text, room: sentence.context?.room)
                }
                JSONLine(InterpretationLine(id: sentence.id, interpretation, ms: duration / .milliseconds(1))).print()
            }
        }
    }

    private func lines(of file: String) throws(CommandFailure) -> [Substring] {
        guard let data = FileManager.default.contents(atPath: file) else {
            throw CommandFailure("fileNotReadable", "The file \(file) can't be read.")
        }
        return String(decoding: data, as: UTF8.self).split(whereSeparator: \.isNewline)
    }

    private func decode<Value: Decodable>(
        _ type: Value.Type,
        _ line: Substring,
        _ file: String
    ) throws(CommandFailure) -> Value {
        do {
            return try JSONDecoder().decode(type, from: Data(line.utf8))
        } catch {
            throw CommandFailure("notReadable", "A line of \(file) isn't of the expected form: \(line.prefix(80))")
        }
    }
}
