import Foundation
import HomeModel
import HubAPI
import Voice

/// A sentence with its meaning.
struct SpokenSentence: Sendable {
    /// The sentence.
    var text: String
    /// The client's reference, which the questions about the sentence carry.
    var reference: String?
    /// The home that it is about.
    var home: UUID
    /// The home as the sentence saw it.
    var heard: HeardHome
    /// What it means.
    private(set) var meaning: Interpretation
    private let words: String
    private let room: String?
    private let minute: Int
    private let listener: HomeListener

    /// Understands a sentence.
    ///
    /// - Parameters:
    ///   - text: The sentence as it was said.
    ///   - words: The sentence without the home's name.
    ///   - room: The ID of the speaker's room.
    ///   - minute: The minutes since midnight.
    ///   - reference: The client's reference.
    init(
        text: String,
        words: String,
        room: String?,
        minute: Int,
        home: UUID,
        heard: HeardHome,
        listener: HomeListener,
        reference: String? = nil
    ) {
        self.text = text
        self.reference = reference
        self.words = words
        self.room = room
        self.minute = minute
        self.home = home
        self.heard = heard
        self.listener = listener
        meaning = listener.interpret(words, room: room, now: minute)
    }

    /// Understands the sentence again with the object that the speaker chose.
    mutating func choose(_ id: String) {
        meaning = listener.interpret(words, room: room, now: minute, choosing: id)
    }

    /// The words of answers.
    var reply: SpokenReply { SpokenReply(language: listener.language) }

    /// Returns what would be done now.
    func preview(at now: Date, in timeZone: TimeZone) -> Said {
        switch meaning {
        case .nothing(let misunderstanding):
            return Said(.notUnderstood, answer: reply.misunderstanding(misunderstanding), home: home)
        case .question(let clarification):
            return Said(.unconfirmed, answer: reply.question(clarification, in: heard.spoken), home: home)
        case .requests(let requests):
            let told = requests.map { request($0, at: now, in: timeZone) }
            let confirmation = requests.lazy.compactMap { reply.confirmation(of: $0, in: heard.spoken) }.first
            if let confirmation { return Said(.unconfirmed, answer: confirmation, home: home, requests: told) }
            let isAnswer = requests.allSatisfy(\.isRead)
            let answers = zip(requests, told).map { answer($0, $1, in: timeZone) }
            return Said(
                isAnswer ? .answered : .done,
                answer: answers.joined(separator: " "),
                home: home,
                requests: told
            )
        }
    }

    /// Returns the answer to a request that was carried out.
    ///
    /// - Parameter failed: The IDs of the services and scenes that failed.
    func answer(
        _ request: Voice.Request,
        _ told: Said.Request,
        in timeZone: TimeZone,
        failed: Set<String> = []
    ) -> String {
        let parts = told.date.map { date in
            var calendar = Calendar(identifier: .gregorian)
            calendar.timeZone = timeZone
            return calendar.dateComponents([.hour, .minute], from: date)
        }
        return reply.text(
            for: request,
            in: heard.spoken,
            failed: failed,
            time: parts.map { ($0.hour ?? 0, $0.minute ?? 0) }
        )
    }

    /// Returns a request in the form that clients receive.
    func request(_ request: Voice.Request, at now: Date, in timeZone: TimeZone) -> Said.Request {
        switch request {
        case .write(let writes, let time, _):
            return Said.Request(
                writes: writes.compactMap { write in
                    heard.characteristic(write.trait, of: write.service).map { reference in
                        Said.Value(reference, heard.value(write.value, of: write.trait, write.service))
                    }
                },
                date: time?.date(after: now, in: timeZone)
            )
        case .run(let scenes, let time):
            return Said.Request(
                scenes: scenes.compactMap(UUID.init(uuidString:)),
                date: time?.date(after: now, in: timeZone)
            )
        case .read(let reads, _):
            return Said.Request(
                reads: reads.compactMap { read in
                    heard.characteristic(read.trait, of: read.service).map { reference in
                        let number = heard.spoken.services.first { $0.id == read.service }?.values[read.trait]
                        return Said.Value(reference, number.flatMap { heard.value($0, of: read.trait, read.service) })
                    }
                }
            )
        }
    }
}

extension SpokenTime {
    /// Returns the first moment after `now` that the time means, in whole minutes.
    func date(after now: Date, in timeZone: TimeZone) -> Date {
        let minute = 60.0
        switch self {
        case .after(let seconds):
            let due = now.timeIntervalSince1970 + Double(seconds)
            return Date(timeIntervalSince1970: (due / minute).rounded(.up) * minute)
        case .at(let hour, let minuteOfHour, let isTomorrow):
            var calendar = Calendar(identifier: .gregorian)
            calendar.timeZone = timeZone
            let parts = DateComponents(hour: hour, minute: minuteOfHour, second: 0)
            // The last second of today, so that midnight is one of tomorrow's times.
            let today = calendar.dateInterval(of: .day, for: now)?.end.addingTimeInterval(-1)
            let start = isTomorrow ? today ?? now : now
            return calendar.nextDate(after: start, matching: parts, matchingPolicy: .nextTime) ?? now
        }
    }
}
