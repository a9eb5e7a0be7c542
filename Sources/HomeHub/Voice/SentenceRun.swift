import Foundation
import HomeModel
import HubAPI
import Voice

/// A sentence that is being carried out: asked about where that is needed, then done, then answered.
struct SentenceRun {
    /// How many questions a sentence leads to at most.
    private static let questionLimit = 4

    private var sentence: SpokenSentence
    private let session: HubSession
    private let parts: VoiceMethods
    private let now: Date
    /// The ID of the sentence's activity, to which writes and runs refer.
    private let id = UUID()

    /// Creates a run.
    init(_ sentence: SpokenSentence, by session: HubSession, of parts: VoiceMethods) {
        self.sentence = sentence
        self.session = session
        self.parts = parts
        now = parts.database.now()
    }

    private var reply: SpokenReply { sentence.reply }

    /// Carries out the sentence.
    func result() async -> Said {
        var run = self
        for _ in 0..<Self.questionLimit {
            // An assistant gets the question as the answer, and asks more precisely.
            guard case .question(let clarification) = run.sentence.meaning, !session.isAssistant else { break }
            do throws(HubError) {
                run.sentence.choose(try await run.choice(clarification))
            } catch {
                return Said(.unconfirmed, answer: reply.cancelled, home: sentence.home)
            }
        }
        switch run.sentence.meaning {
        case .nothing(let misunderstanding):
            return Said(.notUnderstood, answer: reply.misunderstanding(misunderstanding), home: sentence.home)
        case .question(let clarification):
            let question = reply.question(clarification, in: sentence.heard.spoken)
            return Said(.unconfirmed, answer: question, home: sentence.home)
        case .requests(let requests):
            return await run.carryOut(requests)
        }
    }

    // MARK: Asking

    /// Asks the speaker which of several objects is meant, and returns its ID.
    private func choice(_ clarification: Clarification) async throws(HubError) -> String {
        let field = QuestionField(
            QuestionField.answer.id,
            choices: clarification.candidates.map { QuestionField.Choice($0.id, $0.name) }
        )
        let draft = QuestionDraft(
            kind: .voice,
            text: reply.question(clarification, in: sentence.heard.spoken),
            audience: .person(session.user),
            fields: [field],
            reference: sentence.reference
        )
        return try await parts.questions.answer(to: draft, for: session)
    }

    /// Returns whether the speaker agrees to everything that must be confirmed.
    private func isConfirmed(_ requests: [Voice.Request], _ told: [Said.Request]) async -> Bool {
        if session.isAssistant, let isAllowed = await isAllowed(told) { return isAllowed }
        for request in requests {
            guard let text = reply.confirmation(of: request, in: sentence.heard.spoken) else { continue }
            let choices = [(Self.yes, reply.yes), (Self.no, reply.no)]
            let field = QuestionField(
                QuestionField.answer.id,
                choices: choices.map { QuestionField.Choice($0.0, $0.1) }
            )
            let draft = QuestionDraft(
                kind: .voice,
                text: text,
                audience: .person(session.user),
                fields: [field],
                reference: sentence.reference
            )
            do throws(HubError) {
                guard try await parts.questions.answer(to: draft, for: session) == Self.yes else { return false }
            } catch {
                return false
            }
        }
        return true
    }

    /// Returns whether a person agrees to what an assistant asks for; `nil` if nobody has to.
    private func isAllowed(_ told: [Said.Request]) async -> Bool? {
        do throws(HubError) {
            let home = try await parts.database.home(sentence.home, for: session.user)
            let writes = told.flatMap { $0.writes ?? [] }.compactMap { write in
                write.value.map { WriteCharacteristics.Write(characteristic: write.characteristic, value: $0) }
            }
            let scenes = told.flatMap { $0.scenes ?? [] }.compactMap { home.actionSet($0) }
            var commands = parts.assistants.guarded(writes, in: home)
            for scene in scenes { commands += parts.assistants.guarded(scene, in: home) }
            guard !commands.isEmpty else { return nil }
            try await parts.assistants.askPerson(about: commands, inScene: scenes.first?.name, for: session)
            return true
        } catch {
            return false
        }
    }

    private static let (yes, no) = (QuestionField.yes, QuestionField.no)

    // MARK: Doing

    private func carryOut(_ requests: [Voice.Request]) async -> Said {
        let told = requests.map { sentence.request($0, at: now, in: parts.timeZone) }
        guard await isConfirmed(requests, told) else {
            return Said(.unconfirmed, answer: reply.cancelled, home: sentence.home, requests: told)
        }
        if !requests.allSatisfy(\.isRead) {
            parts.activities.publish(
                .said(
                    SentenceActivity(
                        id: id,
                        home: sentence.home,
                        text: sentence.text,
                        time: now,
                        origin: session.origin
                    )
                )
            )
        }
        var failures: [String: HubError] = [:]
        var (count, texts): (Int, [String]) = (0, [])
        for (request, told) in zip(requests, told) {
            let failed: [String: HubError]
            switch request {
            case .read:
                failed = [:]
            case .write(let writes, nil, _):
                count += writes.count
                failed = await write(writes)
            case .run(let scenes, nil):
                count += scenes.count
                failed = await run(scenes)
            case .write, .run:
                count += 1
                if let error = await schedule(told) {
                    failures[sentence.text] = error
                    texts.append(error.reason)
                    continue
                }
                failed = [:]
            }
            failures.merge(failed) { first, _ in first }
            texts.append(sentence.answer(request, told, in: parts.timeZone, failed: Set(failed.keys)))
        }
        let isAnswer = requests.allSatisfy(\.isRead)
        let outcome: Said.Outcome =
            isAnswer ? .answered : failures.isEmpty ? .done : failures.count < count ? .partlyDone : .failed
        return Said(outcome, answer: texts.joined(separator: " "), home: sentence.home, requests: told)
    }

    private var origin: Origin {
        Origin(cause: Cause(kind: .voice), caller: session.caller, parent: id, expiry: session.origin.expiry)
    }

    /// Writes values, those of one accessory server in one request, and returns the services that failed.
    private func write(_ writes: [SpokenWrite]) async -> [String: HubError] {
        var (orders, services): ([WriteCharacteristics.Write], [String]) = ([], [])
        for write in writes {
            guard let reference = sentence.heard.characteristic(write.trait, of: write.service),
                let value = sentence.heard.value(write.value, of: write.trait, write.service)
            else { continue }
            orders.append(WriteCharacteristics.Write(characteristic: reference, value: value))
            services.append(write.service)
        }
        let home: Home
        do throws(HubError) {
            home = try await parts.database.home(sentence.home, for: session.user)
        } catch {
            return Dictionary(services.map { ($0, error) }) { first, _ in first }
        }
        let submitted = await parts.writer.submit(orders, in: home, by: origin)
        var failed: [String: HubError] = [:]
        await parts.writer.finish(submitted) { outcomes in
            for (service, outcome) in zip(services, outcomes) {
                if let error = outcome.error { failed[service] = error }
            }
        }
        return failed
    }

    /// Runs scenes one after another, and returns those that failed.
    private func run(_ scenes: [String]) async -> [String: HubError] {
        var failed: [String: HubError] = [:]
        for scene in scenes {
            do throws(HubError) {
                let home = try await parts.database.home(sentence.home, for: session.user)
                guard let actionSet = UUID(uuidString: scene).flatMap(home.actionSet) else { continue }
                let run = try await parts.actionSets.begin(actionSet, in: home, by: origin)
                let result = await parts.actionSets.finish(run)
                failed[scene] = result.failures.first?.error
            } catch {
                failed[scene] = error
            }
        }
        return failed
    }

    // MARK: Later

    /// Adds an automation that runs once at the request's time, and is removed afterwards.
    private func schedule(_ request: Said.Request) async -> HubError? {
        do throws(HubError) {
            guard let date = request.date else { return nil }
            let home = try await parts.database.home(sentence.home, for: session.user)
            let trigger = UUID()
            let name = home.freeName(like: sentence.text, otherwise: "Voice")
            let schedule = TimerSchedule(fireDate: date)
            var requests: [any HomeRequest] = [
                AddTrigger(id: trigger, name: name, .timer(schedule), actionSets: request.scenes, isTemporary: true)
            ]
            let writes = request.writes ?? []
            if !writes.isEmpty {
                let actionSet = UUID()
                requests.append(AddOwnedActionSet(id: actionSet, trigger: trigger))
                for write in writes {
                    guard let value = write.value,
                        let identity = home.identity(
                            ofCharacteristic: write.characteristic.iid,
                            in: write.characteristic.accessory
                        )
                    else { continue }
                    requests.append(AddAction(identity, value: value, actionSet: actionSet))
                }
            }
            requests.append(EnableTrigger(trigger, true))
            let changes = try await parts.database.submit(
                requests,
                in: home.id,
                by: session.person,
                cause: Cause(kind: .voice)
            )
            for change in changes { try await change.committed() }
            return nil
        } catch {
            return error
        }
    }
}
