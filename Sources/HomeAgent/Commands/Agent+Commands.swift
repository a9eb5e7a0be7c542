import Foundation
import HomeModel
import HubAPI
import HubClient
import Logging
import Synchronization

extension Agent {
    /// The time that the answer to a command has before people are told that its outcome isn't known.
    var answerTime: Duration { configuration.answerTime }

    /// Remembers commands whose replies were lost.
    func lose(_ commands: [LostCommand]) {
        let new = commands.filter { command in state.withLock { $0.lost.add(command) } }
        guard !new.isEmpty else { return }
        storeCommands()
        for command in new { countAnswerTime(of: command) }
    }

    /// Counts the rest of the time that the answer to a command has.
    func countAnswerTime(of command: LostCommand) {
        guard let key = command.request.key, !command.isTold else { return }
        let passed = Duration.milliseconds(RunningClock.now - command.sent)
        RetryPolicy.standard.wait(max(.zero, answerTime - passed)) { [weak self] in self?.answerIsDue(key) }
    }

    /// Forgets a command whose outcome its client knows.
    func settle(_ key: UUID) {
        state.withLock { $0.lost.settle(key) }
        storeCommands()
    }

    /// Stores the commands whose outcome isn't known, so that the agent asks about them also after its end.
    func storeCommands() {
        commandFile.withLock { _ in
            let (time, now) = (configuration.now(), RunningClock.now)
            let commands = state.withLock { $0.lost.all }.compactMap { $0.stored(at: time, now) }
            do throws(HubError) {
                try configuration.folder.store(commands)
            } catch {
                log.error("A command can't be remembered.", metadata: ["reason": "\(error.reason)"])
            }
        }
    }

    private func answerIsDue(_ key: UUID) {
        guard let command = state.withLock({ $0.lost.tell(key) }) else { return }
        storeCommands()
        log.info("It isn't known whether a command was carried out.", metadata: ["method": "\(command.request.method)"])
        for session in sessions { session.answerIsDue(key) }
        askAboutCommands(at: command.hub)
    }

    /// Asks a hub that is in reach about the commands of which people know only that their outcome isn't known.
    func askAboutCommands(at id: UUID) {
        guard let hub = hub(id), hub.view.isNear else { return }
        for command in state.withLock({ $0.lost.take(for: id) }) {
            Task { await ask(hub, about: command) }
        }
    }

    private func ask(_ hub: JoinedHub, about command: LostCommand) async {
        guard let key = command.request.key else { return }
        let view = hub.view
        let outcome = await OutcomeInquiry.ask(
            command,
            over: hub.transport(),
            seen: view.copy.hub.seen,
            within: AgentLimits.heartbeatTimeout
        )
        let text: String
        switch outcome {
        case .unreached:
            state.withLock { $0.lost.release(key) }
            return
        case .forgotten: text = "The hub that got it has stopped since, so nobody knows whether it was done."
        case .known(let reply): text = Self.text(of: reply, to: command)
        }
        let ago = Duration.milliseconds(RunningClock.now - command.sent)
        let time = HubTimeText.text(
            configuration.now().addingTimeInterval(-(ago / .seconds(1))),
            now: configuration.now()
        )
        log.info("The outcome of a command is known.", metadata: ["outcome": "\(text)"])
        // A crash in between tells it twice, rather than never.
        tell("\(Self.subject(of: command, view)), the command of \(time): \(text)")
        settle(key)
    }

    /// Says what came of a command.
    private static func text(of reply: HubReply, to command: LostCommand) -> String {
        switch reply.result {
        case .failure(let error): return "It wasn't done. \(error.reason)"
        case .success(let body):
            let results =
                command.request.method == HubMethods.write.name
                ? try? MessageJSON.decode(CharacteristicResults.self, from: body) : nil
            let errors = results?.outcomes.compactMap(\.error) ?? []
            guard let first = errors.first else { return "It was done." }
            let isWhole = errors.count == results?.outcomes.count
            return "\(isWhole ? "It wasn't done." : "A part of it wasn't done.") \(first.reason)"
        }
    }

    /// Names what a command is about.
    private static func subject(of command: LostCommand, _ view: HubView) -> String {
        let write = try? MessageJSON.decode(WriteCharacteristics.self, from: command.request.parameters)
        let home = write.flatMap { view.copy.hub.homes[$0.home] }
        let accessories = Set(write?.writes.map(\.characteristic.accessory) ?? [])
        let names = home?.accessories.filter { accessories.contains($0.id) }.map { "“\($0.name)”" } ?? []
        return names.isEmpty ? view.homeLabel ?? "“\(view.name)”" : names.joined(separator: ", ")
    }
}
