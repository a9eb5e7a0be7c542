import Foundation
import HAPCatalog
import HomeModel
import HomeText
import HubAPI
import HubClient
import ModelContext

/// Does what assistants ask for, through the hub's methods, and answers in words.
struct AssistantWorker: MCPWorker {
    private typealias Key = AssistantTools.Parameter

    /// The beginning of the addresses of homes as resources.
    private static let homeAddress = "hearth://home/"
    private static let eventLimits = 1...100
    private static let standardEvents = 20
    private static let standardLanguage = "en"

    private let link: AssistantLink

    /// Creates a worker.
    ///
    /// - Parameter transport: A closure that creates a transport to the hub.
    init(over transport: @escaping @Sendable () -> any HubTransport) {
        link = AssistantLink(over: transport)
    }

    func outcome(of work: MCPWork, for assistant: String) async -> MCPOutcome {
        do {
            let hub = try await link.mirror(for: assistant)
            switch work {
            case .call(let tool, let arguments):
                return .text(try await answer(tool, arguments, hub))
            case .listResources:
                return .resources(hub.state.account.homes.map { Self.resource(of: $0) })
            case .readResource(let uri):
                return try resource(uri, hub)
            }
        } catch {
            let failure = CommandFailure(describing: error)
            // Tools' errors are for the assistant, so that it can correct itself.
            if case .call = work { return .failure("\(failure.name): \(failure.reason)") }
            return .error(.failed(failure.reason))
        }
    }

    func close() async { await link.close() }

    private func answer(_ tool: String, _ arguments: MCPArguments, _ hub: HubMirror) async throws -> String {
        switch AssistantTools.Name(rawValue: tool) {
        case .homes: try await homes(arguments, hub)
        case .read: try await read(arguments, hub)
        case .write: try await write(arguments, hub)
        case .scene: try await runScene(arguments, hub)
        case .say: try await say(arguments, hub)
        case .why: try await why(arguments, hub)
        case .events: try await events(arguments, hub)
        case .diagnose: try await diagnose(arguments, hub)
        case nil: throw CommandFailure("notFound", "There is no tool “\(tool)”.")
        }
    }

    private func home(_ arguments: MCPArguments, _ hub: HubMirror) throws(CommandFailure) -> NamedHome {
        try hub.state.home(named: arguments.text(Key.home))
    }

    // MARK: Looking

    private func homes(_ arguments: MCPArguments, _ hub: HubMirror) async throws -> String {
        let state = hub.state
        let names = arguments.text(Key.home).map { [$0] } ?? state.account.homes.map(\.id.uuidString)
        guard !names.isEmpty else { return "There are no homes yet. The user adds one with: hearth home add NAME" }
        var texts: [String] = []
        for name in names {
            let home = try state.home(named: name)
            let room = try arguments.text(Key.room).map { (room) throws(CommandFailure) in try home.room(room) }
            // The hub knows the values of what sends events, so no accessory has to be asked.
            let parameters = NotifyCharacteristics(home: home.home.id, characteristics: nil, enabled: true)
            let results = try await hub.call(HubMethods.notify, parameters)
            var values = KnownValues()
            for outcome in results.outcomes { values[outcome.characteristic, in: home.home.id] = outcome.value }
            texts.append(HomeDescription(home: home, view: hub.state, values: values).text(ofRoom: room))
        }
        return texts.joined(separator: "\n\n")
    }

    private func read(_ arguments: MCPArguments, _ hub: HubMirror) async throws -> String {
        let home = try home(arguments, hub)
        let subject = try home.subject(arguments.text(Key.name) ?? "")
        let shapes: [(service: ServiceShape, shape: CharacteristicShape)]
        if let name = arguments.text(Key.characteristic) {
            let shape = try subject.characteristic(name)
            shapes = subject.services.filter { $0.characteristics.contains(shape) }.prefix(1).map { ($0, shape) }
        } else {
            shapes = subject.services.filter(\.isUserFacing).flatMap { service in
                service.characteristics.filter(\.isShown).map { (service, $0) }
            }
        }
        let request = ReadCharacteristics(
            home: home.home.id,
            characteristics: shapes.map { subject.reference($0.shape) }
        )
        let outcomes = try await hub.call(HubMethods.read, request).outcomes
        if !outcomes.contains(where: { $0.error == nil }), let error = outcomes.compactMap(\.error).first {
            throw error
        }
        return zip(shapes, outcomes).map { shape, outcome in
            let owner = Home.name(of: shape.service, in: subject.accessory)
            let text = outcome.error.map { "(\($0.reason))" } ?? ValueText(shape.shape).text(of: outcome.value)
            return "\(owner) \(shape.shape.displayName): \(text)"
        }.joined(separator: "\n")
    }

    private func why(_ arguments: MCPArguments, _ hub: HubMirror) async throws -> String {
        let home = try home(arguments, hub)
        let name = arguments.text(Key.name) ?? ""
        var (found, chain): (ExplainedObject?, [JournalEntry]) = (nil, [])
        // A scene and an automation of the same name: whichever did something last.
        for candidate in try home.explainedObjects(name) {
            let target = ItemTarget(home: home.home.id, id: candidate.id)
            let entries = try await hub.call(HubMethods.explain, target).entries
            let isLater = (entries.first?.time ?? .distantPast) > (chain.first?.time ?? .distantPast)
            if found == nil || isLater { (found, chain) = (candidate, entries) }
        }
        let time = HubTime(try await hub.call(HubMethods.clock, Empty()))
        let sentences = JournalSentence(timeZone: time.timeZone, now: time.now)
        return sentences.explanation(chain) ?? "Nothing has been recorded about “\(found?.name ?? name)” yet."
    }

    private func events(_ arguments: MCPArguments, _ hub: HubMirror) async throws -> String {
        let limit = arguments.number(Key.limit) ?? Double(Self.standardEvents)
        guard let limit = Int(exactly: limit.rounded()), Self.eventLimits.contains(limit) else {
            throw CommandFailure("invalidParameter", "The limit must be 1 to \(Self.eventLimits.upperBound).")
        }
        let home = try home(arguments, hub)
        let time = HubTime(try await hub.call(HubMethods.clock, Empty()))
        let entries = try await hub.call(HubMethods.journal, JournalQuery(home: home.home.id, limit: limit)).entries
        let byID = Dictionary(entries.map { ($0.id, $0) }) { first, _ in first }
        let sentences = JournalSentence(timeZone: time.timeZone, now: time.now)
        let line = JournalLine(sentences: sentences, time: time, home: home.home)
        guard !entries.isEmpty else { return "Nothing has been recorded in “\(home.name)” yet." }
        return entries.reversed().map { line.text($0, among: byID) }.joined(separator: "\n")
    }

    private func diagnose(_ arguments: MCPArguments, _ hub: HubMirror) async throws -> String {
        let home = try home(arguments, hub)
        let record = try home.accessory(arguments.text(Key.name) ?? "")
        let target = ItemTarget(home: home.home.id, id: record.id)
        let diagnosis = try await hub.call(HubMethods.diagnoseAccessory, target)
        return AccessoryDiagnosisText(diagnosis, of: record.name).lines.joined(separator: "\n")
    }

    // MARK: Operating

    private func write(_ arguments: MCPArguments, _ hub: HubMirror) async throws -> String {
        let home = try home(arguments, hub)
        let subject = try home.subject(arguments.text(Key.name) ?? "")
        let shape = try subject.characteristic(arguments.text(Key.characteristic) ?? "")
        let values = ValueText(shape)
        let content: WriteCharacteristics.Write.Content
        switch (arguments.text(Key.value), arguments.number(Key.by)) {
        case (let value?, nil): content = .value(try values.commandValue(of: value, named: shape.displayName))
        case (nil, let difference?): content = .difference(.double(difference))
        default: throw CommandFailure("invalidParameter", "Give either “value” or “by”.")
        }
        let write = WriteCharacteristics.Write(characteristic: subject.reference(shape), content)
        let request = WriteCharacteristics(home: home.home.id, writes: [write])
        let outcome = try await hub.call(HubMethods.write, request).outcomes.first
        if let error = outcome?.error { throw error }
        return "\(subject.accessory.name) \(shape.displayName): \(values.text(of: outcome?.value))"
    }

    private func runScene(_ arguments: MCPArguments, _ hub: HubMirror) async throws -> String {
        let home = try home(arguments, hub)
        let scene = try home.scene(arguments.text(Key.name) ?? "")
        let target = ItemTarget(home: home.home.id, id: scene.id)
        let result = try await hub.call(HubMethods.runActionSet, target)
        let report = SceneRunReport(result, of: scene, in: home.home)
        let text = report.lines.joined(separator: "\n")
        if let failure = report.failure { throw CommandFailure(failure.name, text) }
        return text
    }

    private func say(_ arguments: MCPArguments, _ hub: HubMirror) async throws -> String {
        let isPlaced = arguments.text(Key.home) != nil || arguments.text(Key.room) != nil
        let home = isPlaced ? try home(arguments, hub) : nil
        let parameters = Say(
            arguments.text(Key.sentence) ?? "",
            language: arguments.text(Key.language) ?? Self.standardLanguage,
            home: home?.home.id,
            room: try arguments.text(Key.room).flatMap { (room) throws(CommandFailure) in try home?.room(room) },
            isDryRun: arguments.isTrue(Key.dryRun) ? true : nil
        )
        let said = try await hub.call(HubMethods.say, parameters)
        guard [.done, .answered].contains(said.outcome) || arguments.isTrue(Key.dryRun) else {
            throw CommandFailure(said.outcome.rawValue, said.answer)
        }
        return said.answer
    }

    // MARK: Resources

    private static func resource(of home: AccountHomeRecord) -> MCPResource {
        MCPResource(
            uri: homeAddress + home.id.uuidString,
            name: home.name,
            description: "The layout of “\(home.name)”: its rooms, accessories, scenes and automations."
        )
    }

    private func resource(_ uri: String, _ hub: HubMirror) throws -> MCPOutcome {
        guard uri.hasPrefix(Self.homeAddress), let id = UUID(uuidString: String(uri.dropFirst(Self.homeAddress.count))),
            let home = try? hub.state.home(named: id.uuidString)
        else { return .error(.noResource(uri)) }
        return .contents(uri: uri, HomeDescription(home: home, view: hub.state, values: nil).text())
    }
}
